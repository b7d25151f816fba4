; expected: unsat
; A pattern over an uninterpreted sort whose function leads back to it: outside EPR, refuted by matching.
(declare-sort Key 0)
(declare-fun g (Key) Key)
(declare-fun rank (Key) Int)
(declare-const k Key)
(assert (forall ((x Key)) (! (< (rank x) (rank (g x))) :pattern ((g x)))))
(assert (= (g (g (g k))) k))
(check-sat)
