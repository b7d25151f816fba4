(define-fun g ((x (_ BitVec 3))) Bool true)
(assert (not (g (_ bv1 3))))
(check-sat)
; > (error "1:19: expected a sort, found a list")
; > (error "2:15: expected a declared function, found g")
; > unknown
