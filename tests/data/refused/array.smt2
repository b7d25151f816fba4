(declare-const a (Array Int Int))
(assert (not (= a a)))
(check-sat)
; > (error "1:18: expected a sort, found a list")
; > (error "2:17: expected a declared symbol, found a")
; > unknown
