; expected: sat sat
(set-logic QF_SHLS)
(declare-sort Loc 0)
(declare-datatypes ((Node 0)) (((node (next Loc)))))
(declare-heap (Loc Node))
(declare-const x Loc) (declare-const y Loc) (declare-const z Loc) (declare-const t Loc)
; The end may lie inside: not a segment that ends at its first end. A use is unfolded.
(define-fun-rec tail ((a Loc) (b Loc)) Bool
  (or (and (= a b) emp) (exists ((c Loc)) (and (distinct a b) (sep (tail a c) (pto c (node b)))))))
(push 1)
(assert (tail x y))
(check-sat)
(pop 1)
(assert (pto x (node y)))
(check-sat)
