; expected: unsat
; A quantifier over the integers with a contradictory instance that its pattern asks for.
(declare-fun f (Int) Int)
(declare-const a Int)
(assert (forall ((x Int)) (! (> (f x) x) :pattern ((f x)))))
(assert (= (f a) a))
(check-sat)
