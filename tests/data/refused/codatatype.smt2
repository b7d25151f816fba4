(declare-codatatypes ((S 0)) (((scons (h Int) (t S)))))
(declare-const s S)
(assert (not (= s s)))
(check-sat)
; > (error "1:2: expected a known command, found declare-codatatypes")
; > (error "2:18: expected a declared sort, found S")
; > (error "3:17: expected a declared symbol, found s")
; > unknown
