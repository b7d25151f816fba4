; expected: unknown
(set-logic QF_SHLS)
(declare-sort Loc 0)
(declare-datatypes ((Node 0)) (((node (next Loc)))))
(declare-heap (Loc Node))
(declare-const x Loc) (declare-const y Loc) (declare-const z Loc) (declare-const t Loc)
(assert (wand (pto x (node y)) (pto x (node z))))
(check-sat)
