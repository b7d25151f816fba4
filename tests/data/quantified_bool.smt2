; expected: sat
; Variables of sort Bool are gone through case by case.
(set-logic UF)
(declare-sort U 0)
(declare-fun p (U Bool) Bool)
(declare-fun c () U)
(assert (forall ((b Bool) (u U)) (= (p u b) (not b))))
(assert (exists ((b Bool)) (= b (not (p c b)))))
(check-sat)
