; expected: sat
; A doubly linked ring of two cells.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-fun prev (Cell) Cell)
(declare-const x Cell)(declare-const y Cell)
(assert (distinct x y))
(assert (and (= (next x) y) (= (prev y) x) (= (next y) x) (= (prev x) y)))
(assert ((_ reach prev) x y))
(assert ((_ reach next) x y))
(check-sat)
