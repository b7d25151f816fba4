; expected: sat
; The function needs another value elsewhere than a new one.
(declare-fun f (Int) Int)
(declare-fun p (Int Int) Bool)
(declare-const a Int)
(assert (forall ((i Int)) (<= 0 (f i) 10)))
(assert (forall ((i Int)) (=> (> i a) (p i (f i)))))
(assert (= (f 3) 2))
(assert (not (p a 2)))
(check-sat)
