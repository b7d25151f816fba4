; expected: unsat
; Nothing leaves a cycle.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-const x Cell)(declare-const y Cell)
(assert (= (next (next x)) x))
(assert ((_ reach next) x y))
(assert (distinct x y (next x)))
(check-sat)
