; expected: unknown
; A quantifier over the integers that holds: no finite model to evaluate.
(declare-fun f (Int) Int)
(assert (forall ((x Int)) (< (f x) (f (+ x 1)))))
(check-sat)
