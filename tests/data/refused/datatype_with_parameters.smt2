(declare-datatypes ((Pair 2)) ((par (X Y) ((mk (first X) (second Y))))))
(declare-const p (Pair Int Bool))
(assert (not (= p p)))
(check-sat)
; > (error "1:27: expected 0 (datatypes with parameters are not supported), found the number 2")
; > (error "2:18: expected a sort, found a list")
; > (error "3:17: expected a declared symbol, found p")
; > unknown
