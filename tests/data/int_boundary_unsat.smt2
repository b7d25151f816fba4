; expected: unsat
; No integer is below all others: only an instance at the constant itself ends the search.
(declare-const least Int)
(declare-fun height (Int) Int)
(assert (> (height least) 3))
(assert (forall ((i Int)) (<= least i)))
(check-sat)
