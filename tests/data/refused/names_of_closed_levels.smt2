(declare-const a Bool)
(assert (! a :named n1))
(push 1)
(assert (! (not a) :named n2))
(check-sat)
(pop 1)
(assert (! (not a) :named n2))
(set-option :produce-unsat-cores true)
(check-sat)
(get-unsat-core)
; > unsat
; > unsat
; > (n1 n2)
