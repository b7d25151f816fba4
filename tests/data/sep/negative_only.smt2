; expected: sat
(set-logic QF_SHLS)
(declare-sort Loc 0)
(declare-datatypes ((Node 0)) (((node (next Loc)))))
(declare-heap (Loc Node))
(define-fun-rec ls ((in Loc) (out Loc)) Bool
  (or (and (= in out) (_ emp Loc Node))
      (exists ((u Loc)) (and (distinct in out) (sep (pto in (node u)) (ls u out))))))
(declare-const x Loc) (declare-const y Loc) (declare-const z Loc) (declare-const t Loc)
; Nothing says what the heap is, only what it is not.
(assert (not (ls x y)))
(assert (not emp))
(assert (not (pto x (node y))))
(check-sat)
