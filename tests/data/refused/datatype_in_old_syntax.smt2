(declare-datatypes ((T 0)) ((par () ((c1)))))
(check-sat)
(declare-fun par () Bool)
; > (error "1:30: expected a new name, found the predefined par")
; > unknown
; > (error "3:14: expected a new name, found the predefined par")
