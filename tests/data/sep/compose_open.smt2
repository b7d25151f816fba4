; expected: sat
(set-logic QF_SHLS)
(declare-sort Loc 0)
(declare-datatypes ((Node 0)) (((node (next Loc)))))
(declare-heap (Loc Node))
(define-fun-rec ls ((in Loc) (out Loc)) Bool
  (or (and (= in out) (_ emp Loc Node))
      (exists ((u Loc)) (and (distinct in out) (sep (pto in (node u)) (ls u out))))))
(declare-const x Loc) (declare-const y Loc) (declare-const z Loc) (declare-const t Loc)
; Without more, the second segment may run back into the first: x -> t -> y -> t.
(assert (and (distinct x t) (sep (ls x y) (ls y t))))
(assert (not (ls x t)))
(check-sat)
