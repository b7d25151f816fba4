; expected: unsat
; Two cells reached from one cell are comparable.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-const x Cell)(declare-const y Cell)(declare-const z Cell)
(assert (and ((_ reach next) x y) ((_ reach next) x z)))
(assert (not ((_ reach next) y z)))
(assert (not ((_ reach next) z y)))
(check-sat)
