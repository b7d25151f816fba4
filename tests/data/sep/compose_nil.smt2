; expected: sat unsat
(set-logic QF_SHLS)
(declare-sort Loc 0)
(declare-datatypes ((Node 0)) (((node (next Loc)))))
(declare-heap (Loc Node))
(define-fun-rec ls ((in Loc) (out Loc)) Bool
  (or (and (= in out) (_ emp Loc Node))
      (exists ((u Loc)) (and (distinct in out) (sep (pto in (node u)) (ls u out))))))
(check-sat)
(declare-const x Loc) (declare-const y Loc) (declare-const z Loc) (declare-const t Loc)
; Two segments in a row are one if the last ends in nil.
(assert (sep (ls x y) (ls y (as nil Loc))))
(assert (not (ls x (as nil Loc))))
(check-sat)
