; expected: sat
; At least three elements.
(declare-sort S 0)
(declare-fun p (S) Bool)
(declare-fun q (S) Bool)
(assert (exists ((x S) (y S) (z S)) (and (p x) (not (p y)) (q x) (not (q z)) (p z))))
(assert (forall ((x S)) (or (p x) (q x))))
(check-sat)
