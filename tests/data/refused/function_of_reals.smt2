(declare-fun f (Real) Int)
(assert (not (= (f 1.0) (f 1.0))))
(check-sat)
; > (error "1:17: expected a declared sort, found Real")
; > (error "2:18: expected a declared function, found f")
; > unknown
