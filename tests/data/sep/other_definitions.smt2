; expected: unsat unsat sat
(set-logic QF_SHLS)
(declare-sort Loc 0)
(declare-datatypes ((Node 0)) (((node (next Loc)))))
(declare-heap (Loc Node))
(declare-const x Loc) (declare-const y Loc) (declare-const z Loc) (declare-const t Loc)
; The same predicate written in other ways, and one that is not the same: nothing keeps `loose` from running
; through its end.
(define-fun-rec chain ((last Loc) (first Loc)) Bool
  (ite (= last first) sep.emp (exists ((n Loc) (m Loc)) (and (= n m) (sep (chain last m) (pto first (node n)))))))
(define-funs-rec ((seg ((a Loc) (b Loc)) Bool)) (
  (or (exists ((c Loc)) (and (sep (pto a (node c)) (seg c b)) (not (= b a)))) (and emp (= b a)))))
(define-fun-rec loose ((a Loc) (b Loc)) Bool
  (or (and (= a b) emp) (exists ((c Loc)) (sep (pto a (node c)) (loose c b)))))
(push 1)
(assert (and (chain y x) (not (seg x y))))
(check-sat)
(pop 1)
(push 1)
(assert (seg x y))
(assert (not (loose x y)))
(check-sat)
(pop 1)
(assert (loose x y))
(assert (not (seg x y)))
(check-sat)
