; expected: unsat
(set-logic QF_LIA)
(declare-fun x () Int)
(assert ((_ divisible 2) x))
(assert ((_ divisible 3) x))
(assert (not (= (mod x 6) 0)))
(check-sat)
