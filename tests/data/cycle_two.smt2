; expected: sat
; A cycle of two cells.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-const x Cell)(declare-const y Cell)
(assert (distinct x y))
(assert ((_ reach next) x y))
(assert ((_ reach next) y x))
(check-sat)
