; expected: sat
; A conditional cell.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-const x Cell)(declare-const y Cell)(declare-const p Bool)
(assert (= (next x) (ite p x y)))
(assert (distinct x y))
(assert ((_ reach next) x y))
(assert (xor p (= (next y) x)))
(check-sat)
