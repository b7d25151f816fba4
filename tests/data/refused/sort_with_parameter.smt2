(declare-sort List 1)
(declare-const l (List Int))
(assert (not (= l l)))
(check-sat)
(get-info :reason-unknown)
; > unsat
; > (error "5:11: :reason-unknown: the last check did not answer unknown")
