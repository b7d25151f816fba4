; expected: unsat
; Patterns come from the body; one instance makes the term that the next one needs.
(declare-fun f (Int) Int)
(declare-fun below (Int Int) Bool)
(declare-const a Int)
(assert (forall ((x Int)) (below x (f x))))
(assert (forall ((x Int) (y Int)) (=> (below x y) (< x y))))
(assert (= (f (f a)) a))
(check-sat)
