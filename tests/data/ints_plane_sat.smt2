; expected: sat
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(assert (<= 1 (- c (* 4 b)) 2))
(assert (or (= c (* 6 a)) (= c 0)))
(assert (> b a 17))
(check-sat)
