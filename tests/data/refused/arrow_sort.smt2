(declare-fun f (Int) (-> Int Int))
(assert (not (= ((_ map f) 3) ((_ map f) 3))))
(check-sat)
; > (error "1:22: expected a sort, found a list")
; > (error "2:21: expected reach, between or divisible, found map")
; > unknown
