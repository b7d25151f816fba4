(declare-const x Int)
(declare-const y Int)
(assert (! (forall ((z Int)) (! (= z z) :named foo)) :named bar))
(assert (not foo))
(check-sat)
; > unsat
