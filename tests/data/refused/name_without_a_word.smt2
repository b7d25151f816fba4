(declare-const x Int)
(assert (! (> x 0) :named A :foo))
(assert (! (< x 0) :named))
(check-sat)
; > (error "3:9: expected a name after :named, found nothing")
; > unknown
