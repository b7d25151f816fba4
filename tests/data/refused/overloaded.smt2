(declare-fun f (Int) Int)
(declare-fun f (Bool) Int)
(assert (= (f 1) 2))
(assert (= (f true) 3))
(check-sat)
; > sat
