; expected: sat
; Found by torture (ints_large): planes to split on had coefficients of forty digits, and the next ones grew from them.
(declare-fun i0 () Int)
(declare-fun i1 () Int)
(declare-fun i2 () Int)
(declare-fun i3 () Int)
(declare-fun i4 () Int)
(assert (not (= (or (not (= (+ (* (- 548) i1) (* 650 i3) (- 505)) (+ (* (- 246) i2) (- 375)))) (not (<= (+ i1 (* 281 i4)) (- 851)))) (or (= i4 (+ (* (- 480) i0) (- 180))) (not (<= (+ (* 137 i0) (* (- 1) i3)) (- 519717)))))))
(assert (or (not (distinct i3 i4 (- 224) (+ (* (- 386) i2) (* 509 i4) 821))) (distinct i1 i2 i4 (- 688)) (not (= (<= i3 (- 275)) (<= i2 (- 816))))))
(assert (not (<= i2 (- 880))))
(assert (<= i3 (- 759)))
(assert (ite (= (<= (+ (* 184 i0) (* (- 173) i3)) 52557) (= (+ (* 381 i1) 625) (+ (* (- 40) i2) 86))) (and (not (<= (+ (* 318 i0) i1 (* (- 561) i2)) 400)) (<= i3 (- 288908)) (not (<= i0 92253))) (not (= i3 (- 1820)))))
(assert (= (= (<= (+ i0 (* (- 1) i2)) (- 1)) (<= (+ (* 379 i1) (* (- 1) i2)) (- 734))) (ite (<= (+ i1 (* (- 194) i2) (* 810 i4)) 382) (not (distinct i1 i3 (- 898) (+ (* (- 808) i1) (* 670 i4) (- 67)))) (not (= i2 363544)))))
(check-sat)
