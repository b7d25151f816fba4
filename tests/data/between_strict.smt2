; expected: sat
; Three cells in a row, the last one pointing back.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-const a Cell)(declare-const b Cell)(declare-const c Cell)
(assert (distinct a b c))
(assert ((_ between next) a b c))
(assert (= (next c) a))
(check-sat)
