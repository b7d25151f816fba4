; expected: unsat
(set-logic QF_SHLS)
(declare-sort Loc 0)
(declare-datatypes ((Node 0)) (((node (next Loc)))))
(declare-heap (Loc Node))
(declare-const x Loc) (declare-const y Loc) (declare-const z Loc) (declare-const t Loc)
; Every assertion describes the whole heap.
(assert (pto x (node y)))
(assert (pto z (node t)))
(assert (distinct x z))
(check-sat)
