; expected: unsat
; Found by torture (ints_large), once without an answer before bounds were propagated. The second and fourth assertions give i4 <= 322, so
; 1.16 < i3 < 1.7 by the third and fifth: one branch on i3 is enough.
(declare-fun i0 () Int)
(declare-fun i1 () Int)
(declare-fun i3 () Int)
(declare-fun i4 () Int)
(assert (= i3 (+ (* 187 i0) (* (- 522) i1) (- 466))))
(assert (not (<= (+ i0 (* (- 921) i4)) (- 124))))
(assert (= i4 (+ (* 620 i3) (- 724))))
(assert (<= i0 297121))
(assert (not (<= i4 0)))
(check-sat)
