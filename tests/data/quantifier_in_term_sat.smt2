; expected: sat
(declare-sort S 0)
(declare-fun p (S Bool) Bool)
(declare-const a S)
(declare-const n Int)
(assert (= n (ite (forall ((x S)) (p x true)) 1 2)))
(assert (p a (exists ((x S)) (not (p x true)))))
(assert (> n 1))
(check-sat)
