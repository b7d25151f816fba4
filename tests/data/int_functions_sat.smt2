; expected: sat
; A function of integers with many values.
(declare-fun f (Int) Int)
(declare-const x Int)
(assert (= (f x) (+ (f (+ x 1)) 1)))
(assert (= (f (+ x 1)) (+ (f (+ x 2)) 1)))
(assert (= (f (+ x 2)) 10))
(assert (= (f (f x)) x))
(check-sat)
