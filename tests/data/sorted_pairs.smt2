; expected: sat
; A sorted segment with two different values.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-fun data (Cell) Int)
(declare-const x Cell)(declare-const y Cell)
(assert (forall ((u Cell) (v Cell))
  (=> (and ((_ between next) x u y) ((_ between next) u v y)) (<= (data u) (data v)))))
(assert ((_ reach next) x y))
(assert (= (data y) (+ (data x) 5)))
(check-sat)
