; expected: sat
; Numbers beyond 64 bits.
(declare-const x Int)
(assert (> x 100000000000000000000000000000))
(assert (< x 100000000000000000000000000002))
(check-sat)
