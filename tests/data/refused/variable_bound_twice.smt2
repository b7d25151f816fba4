(declare-fun p (Int) Bool)
(assert (forall ((R Int) (R Int)) (p R)))
(assert (not (p 1)))
(check-sat)
; > unsat
