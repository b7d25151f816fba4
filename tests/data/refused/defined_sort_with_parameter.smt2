(define-sort Id (X) X)
(declare-const q (Id Bool))
(assert (and q (not q)))
(check-sat)
; > unsat
