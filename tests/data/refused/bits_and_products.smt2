(declare-const x Int)
(assert (= x #x0A))
(assert (= x (* x 1 x)))
(assert (> x 1))
(check-sat)
; > (error "2:14: expected a term, found the number #x0A")
; > (error "3:14: product of two terms: expected at least one number")
; > unknown
