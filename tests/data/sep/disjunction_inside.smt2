; expected: sat
(set-logic QF_SHLS)
(declare-sort Loc 0)
(declare-datatypes ((Node 0)) (((node (next Loc)))))
(declare-heap (Loc Node))
(define-fun-rec ls ((in Loc) (out Loc)) Bool
  (or (and (= in out) (_ emp Loc Node))
      (exists ((u Loc)) (and (distinct in out) (sep (pto in (node u)) (ls u out))))))
(declare-const x Loc) (declare-const y Loc) (declare-const z Loc) (declare-const t Loc)
(assert (sep (or (pto x (node y)) emp) (ls y z) (ite (= x z) emp (pto z (node t)))))
(assert (=> (= x z) (not (ls x y))))
(check-sat)
