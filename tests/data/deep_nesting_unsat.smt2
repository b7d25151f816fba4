; expected: unsat
; Sixty levels, and both constants true make an even one false.
(declare-const p Bool)(declare-const q Bool)
(assert p)
(assert q)
(assert (not (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q p))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
(check-sat)
