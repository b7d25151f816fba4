; expected: unsat
; The neighbour of a neighbour in a doubly linked segment.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-fun prev (Cell) Cell)
(declare-const x Cell)(declare-const y Cell)(declare-const z Cell)
(assert (= (next x) y))
(assert (= (prev y) x))
(assert (= (next z) y))
(assert (or (not (= (prev (next z)) x)) (not (= (next (prev y)) y))))
(check-sat)
