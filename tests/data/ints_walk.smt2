; expected: sat
; Found by torture (ints_large): where i1 = i3, both are -80 and an equation has no solution. Only a bound that the
; present values satisfy says so; without it splits walk along an unbounded direction, one unit at a time.
(declare-fun i0 () Int)
(declare-fun i1 () Int)
(declare-fun i2 () Int)
(declare-fun i3 () Int)
(declare-fun i4 () Int)
(assert (not (<= i1 (- 81))))
(assert (let ((?t0 (+ (* 195 i0) (- 14891)))) (= (= (<= (+ i0 (* 1549 i2)) 28) (= (+ (* 567 i1) (* (- 604) i3) (- 352)) (+ (* 513 i1) (* (- 936) i3) 458))) (= (and (not (= i1 ?t0)) (not (= i1 i3)) (not (= i3 ?t0)) (not (= ?t0 (+ (* (- 865) i1) (* 536 i3) 149)))) (<= (+ (* 630 i1) (* (- 1) i2) (* (- 945) i4)) 564)))))
(assert (let ((?t0 (+ (* (- 807) i0) (* (- 312) i2) (- 48)))) (let ((?t1 (+ (* 1000 i3) 920912))) (let ((?t2 (+ (* (- 406) i1) (* 876 i2) (- 618)))) (and (not (= ?t0 ?t1)) (not (= i1 ?t0)) (not (= ?t0 ?t2)) (not (= i1 ?t1)) (not (= ?t1 ?t2)) (not (= i1 ?t2)))))))
(assert (and (or (<= i0 (- 109)) (<= i3 (- 828))) (or (= (+ (* 274 i2) (* (- 752) i4) (- 101)) (+ (* 51 i3) 206772)) (<= (+ i0 (* (- 370) i2)) (- 656)) (<= (+ i0 (* 38 i3)) 636)) (and (<= (+ (* 521 i3) (* (- 527) i4)) (- 369)) (<= i3 (- 80)) (not (<= i3 (- 82))))))
(assert (let ((?t0 (+ (* 61 i1) 948))) (let ((?t1 (+ (* (- 312) i0) 36))) (and (not (= i3 ?t0)) (not (= ?t0 ?t1)) (not (= i3 ?t1))))))
(assert (<= (+ i0 (* (- 555) i4)) (- 641)))
(check-sat)
