; expected: sat
; Remainders are never negative, whatever the signs.
(set-logic QF_LIA)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (= (mod x 7) 3))
(assert (= (div x (- 7)) 2))
(assert (= (mod x (- 7)) 3))
(assert ((_ divisible 4) (+ x y)))
(assert (= (div (- 7) 2) (- 4)))
(assert (= (div 7 (- 2)) (- 3)))
(assert (= (mod (- 7) (- 2)) 1))
(assert (< (abs y) 4))
(check-sat)
