; expected: unsat
; Splits on a and b move along the strip 1 <= 6 a - 3 b <= 2 for ever; a split on 2 a - b ends it.
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(assert (<= 1 (- c (* 3 b)) 2))
(assert (or (= c (* 6 a)) (= c 0)))
(check-sat)
