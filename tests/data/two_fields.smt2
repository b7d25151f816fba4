; expected: sat
; Reached along one field and not along the other.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-fun down (Cell) Cell)
(declare-const x Cell)(declare-const y Cell)
(assert ((_ reach next) x y))
(assert (not ((_ reach down) x y)))
(assert (= (down y) x))
(check-sat)
