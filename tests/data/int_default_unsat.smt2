; expected: unsat
(declare-fun f (Int) Int)
(declare-const a Int)
(assert (forall ((i Int)) (<= 0 (f i) 10)))
(assert (> (+ (f a) (f (+ a 1))) 20))
(check-sat)
