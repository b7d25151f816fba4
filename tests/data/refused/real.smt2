(declare-const q Real)
(assert (and (> q 1.0) (< q 0.0)))
(check-sat)
; > (error "1:18: expected a declared sort, found Real")
; > (error "2:17: expected a declared symbol, found q")
; > unknown
