(declare-sort U 0)
(declare-const u U)
(assert (exists ((x U) (s (Set U))) false))
(check-sat)
; > (error "3:27: expected a sort, found a list")
; > unknown
