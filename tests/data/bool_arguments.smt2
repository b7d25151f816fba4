; expected: sat
; Formulas as arguments.
(declare-sort S 0)
(declare-fun g (Bool) S)
(declare-const p Bool)(declare-const q Bool)
(assert (not (= (g p) (g q))))
(assert (= (g (not p)) (g q)))
(check-sat)
