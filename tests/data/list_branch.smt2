; expected: sat
; Two lists may share a tail.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-const x Cell)(declare-const y Cell)(declare-const tail Cell)
(assert (distinct x y tail))
(assert ((_ reach next) x tail))
(assert ((_ reach next) y tail))
(assert (not ((_ reach next) x y)))
(assert (not ((_ reach next) y x)))
(check-sat)
