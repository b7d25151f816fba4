; expected: unsat
; A value between two neighbours keeps a segment sorted.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-fun data (Cell) Int)
(declare-const h Cell)(declare-const p Cell)(declare-const n Cell)(declare-const k Int)
(assert (forall ((u Cell)) (=> ((_ between next) h u p) (<= (data u) (data p)))))
(assert ((_ between next) h p n))
(assert (<= (data p) k))
(assert (or (and ((_ between next) h n p) (> (data n) k)) (and (= h p) (> (data h) k))))
(check-sat)
