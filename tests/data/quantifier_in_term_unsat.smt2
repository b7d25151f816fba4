; expected: unsat
(declare-sort S 0)
(declare-fun p (S Bool) Bool)
(declare-const a S)
(declare-const n Int)
(assert (= n (ite (forall ((x S)) (p x true)) 1 2)))
(assert (not (p a (distinct n 2))))
(assert (= n 1))
(check-sat)
