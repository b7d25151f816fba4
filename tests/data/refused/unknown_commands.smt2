(assert-not true)
(check-sat)
(declare-fun-2 x)
(define-const c (Array Int Int) 3)
(assert (not (= c c)))
(check-sat)
; > (error "1:2: expected a known command, found assert-not")
; > unknown
; > (error "3:2: expected a known command, found declare-fun-2")
; > (error "4:17: expected a sort, found a list")
; > (error "5:17: expected a declared symbol, found c")
; > unknown
