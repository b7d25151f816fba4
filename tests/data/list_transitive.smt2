; expected: unsat
; Reachability is transitive.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-const x Cell)(declare-const y Cell)(declare-const z Cell)
(assert (! ((_ reach next) x y) :named xy))
(assert (! ((_ reach next) y z) :named yz))
(assert (! (not ((_ reach next) x z)) :named goal))
(check-sat)
