; expected: unsat
; A rational point but no integer one.
(declare-const x Int)(declare-const y Int)
(assert (<= 1 (- (* 3 x) (* 3 y))))
(assert (<= (- (* 3 x) (* 3 y)) 2))
(check-sat)
