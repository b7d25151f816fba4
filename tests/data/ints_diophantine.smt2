; expected: sat
; Large coprime coefficients.
(declare-const x Int)(declare-const y Int)
(assert (= (+ (* 1001 x) (* 997 y)) 1))
(assert (> x 0))
(check-sat)
