; expected: unsat
; The minimum is not above either of both.
(declare-const x Int)(declare-const y Int)(declare-const m Int)
(assert (= m (ite (<= x y) x y)))
(assert (or (> m x) (> m y)))
(check-sat)
