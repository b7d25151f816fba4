; expected: sat
; A cycle of three cells passes through all of them.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-const x Cell)
(assert (= (next (next (next x))) x))
(assert (not (= (next x) x)))
(assert ((_ between next) x (next x) (next (next x))))
(check-sat)
