; expected: unknown
; Satisfiable, but no finite model can be evaluated: never a guess.
(declare-fun f (Int) Int)
(declare-const a Int)
(assert (forall ((x Int)) (! (> (f x) x) :pattern ((f x)))))
(assert (= (f a) (+ a 5)))
(check-sat)
