; expected: unsat
; What is reached but is not the start is reached from the next cell.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-const x Cell)(declare-const y Cell)
(assert ((_ reach next) x y))
(assert (not (= x y)))
(assert (not ((_ reach next) (next x) y)))
(check-sat)
