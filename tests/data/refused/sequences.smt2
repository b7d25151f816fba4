(declare-fun seq.foo ((Seq Int)) Bool)
(assert (not (= (seq.foo (as seq.empty (Seq Int))) (seq.foo (as seq.empty (Seq Int))))))
(check-sat)
; > (error "1:23: expected a sort, found a list")
; > (error "2:18: expected a declared function, found seq.foo")
; > unknown
