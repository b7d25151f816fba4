; expected: unsat
; A sorted segment has its least value in front.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-fun data (Cell) Int)
(declare-const x Cell)(declare-const y Cell)
(assert (forall ((u Cell)) (=> ((_ between next) x u y) (<= (data x) (data u)))))
(assert ((_ reach next) x y))
(assert (< (data y) (data x)))
(check-sat)
