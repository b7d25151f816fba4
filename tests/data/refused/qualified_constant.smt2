(declare-const p Bool)
(assert (let ((x (as p Bool))) (not (= x p))))
(check-sat)
; > unsat
