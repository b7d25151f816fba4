; expected: unknown
; Every element has another one above it: infinite models only.
(declare-sort S 0)
(declare-fun r (S S) Bool)
(declare-fun s (S) S)
(assert (forall ((x S)) (r x (s x))))
(assert (forall ((x S) (y S) (z S)) (=> (and (r x y) (r y z)) (r x z))))
(assert (forall ((x S)) (not (r x x))))
(check-sat)
