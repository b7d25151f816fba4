(define-fun-rec g ((b Bool)) Bool (and b false))
(assert (g true))
(check-sat)
; > (error "1:17: b: a parameter of sort Bool is not supported here")
; > (error "2:10: expected a declared function, found g")
; > unknown
