; expected: sat
; Found by torture (mixed_deep): once without an answer. A model: i1 = 0, (d0 x1) = -1, (d1 x0) = 1.
(declare-sort Cell 0)
(declare-fun x0 () Cell)
(declare-fun x1 () Cell)
(declare-fun n0 (Cell) Cell)
(declare-fun i1 () Int)
(declare-fun d0 (Cell) Int)
(declare-fun d1 (Cell) Int)
(assert (let ((?t0 (n0 x0))) (<= (+ (d1 ?t0) (* (- 1) (ite ((_ reach n0) x1 ?t0) 0 (d0 x1)))) 0)))
(assert (= (+ (* (- 5) (d1 x0)) (- 3)) (+ (* 10 i1) (* (- 2) (d0 x1)) (- 10))))
(assert (<= (d0 x1) 0))
(check-sat)
