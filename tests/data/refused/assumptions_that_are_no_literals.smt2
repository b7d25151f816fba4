(declare-const p Bool)
(declare-const q Bool)
(assert (and p q))
(check-sat-assuming ((not p)))
(check-sat-assuming ((and p (not q))))
(check-sat-assuming ((! (not q) :named nq)))
(get-unsat-assumptions)
; > unsat
; > unsat
; > unsat
; > ((! (not q) :named nq))
