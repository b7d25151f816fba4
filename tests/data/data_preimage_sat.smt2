; expected: sat
; Only the cells on the way are marked.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-sort Mark 0)
(declare-fun mark (Cell) Mark)
(declare-const red Mark)(declare-const x Cell)(declare-const end Cell)
(assert (forall ((u Cell)) (=> (= (mark u) red) ((_ between next) x u end))))
(assert (= (mark end) red))
(assert (distinct x end))
(assert (not (= (mark x) red)))
(check-sat)
