; expected: unsat
; Four pigeons, three holes.
(declare-sort H 0)
(declare-const a H)(declare-const b H)(declare-const c H)
(declare-const p1 H)(declare-const p2 H)(declare-const p3 H)(declare-const p4 H)
(assert (or (= p1 a) (= p1 b) (= p1 c)))
(assert (or (= p2 a) (= p2 b) (= p2 c)))
(assert (or (= p3 a) (= p3 b) (= p3 c)))
(assert (or (= p4 a) (= p4 b) (= p4 c)))
(assert (distinct p1 p2 p3 p4))
(check-sat)
