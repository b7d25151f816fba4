; expected: sat
; An existential before a universal quantifier.
(declare-sort S 0)
(declare-fun r (S S) Bool)
(declare-const a S)
(assert (exists ((x S)) (forall ((y S)) (=> (r a y) (r y x)))))
(assert (exists ((y S)) (and (r a y) (not (= a y)))))
(assert (not (r a a)))
(check-sat)
