; expected: sat
; Sixty levels of negated conjunctions.
(declare-const p Bool)(declare-const q Bool)
(assert (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q (not (and p (not (and q p)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
(check-sat)
