; expected: sat
; Found by torture (ints_large): asserted plainly this is sat at once; with every assertion named it once
; ran for ever.
(declare-fun i0 () Int)
(declare-fun i1 () Int)
(declare-fun i2 () Int)
(declare-fun i3 () Int)
(declare-fun i4 () Int)
(assert (<= i1 1512))
(assert (<= i0 (- 1)))
(assert (not (<= (+ (* 890 i0) i1) (- 620))))
(assert (= (+ (* 705 i0) (* 443 i4) 180) (+ (* 508 i0) (* 424 i2) 369)))
(assert (not (<= i2 20880)))
(assert (= i3 (+ (* (- 27) i3) (* 922 i4) 982)))
(check-sat)
