; expected: unsat
; A finite chain of a strict order has no way back.
(declare-sort S 0)
(declare-fun r (S S) Bool)
(declare-const a S)(declare-const b S)(declare-const c S)
(assert (forall ((x S) (y S) (z S)) (=> (and (r x y) (r y z)) (r x z))))
(assert (forall ((x S)) (not (r x x))))
(assert (and (r a b) (r b c)))
(assert (r c a))
(check-sat)
