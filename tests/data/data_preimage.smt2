; expected: unsat
; No cell of a marked set is the end of the list.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-sort Mark 0)
(declare-fun mark (Cell) Mark)
(declare-const red Mark)(declare-const x Cell)(declare-const end Cell)
(assert (forall ((u Cell)) (=> (= (mark u) red) ((_ reach next) u x))))
(assert (= (mark end) red))
(assert (= (next end) end))
(assert (not (= end x)))
(check-sat)
