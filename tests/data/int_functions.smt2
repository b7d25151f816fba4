; expected: unsat
; Congruence through arithmetic.
(declare-fun f (Int) Int)
(declare-const x Int)(declare-const y Int)
(assert (<= x y))
(assert (<= y (+ x (f 0))))
(assert (= (f 0) 0))
(assert (distinct (f (- x y)) 0))
(check-sat)
