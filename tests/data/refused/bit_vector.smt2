(declare-const a (_ BitVec 8))
(assert (not (= a a)))
(check-sat)
; > (error "1:18: expected a sort, found a list")
; > (error "2:17: expected a declared symbol, found a")
; > unknown
