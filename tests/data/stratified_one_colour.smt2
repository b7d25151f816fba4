; expected: unsat
; One colour is not enough for an edge.
(declare-sort Node 0)
(declare-sort Colour 0)
(declare-fun colour (Node) Colour)
(declare-fun edge (Node Node) Bool)
(assert (forall ((x Node) (y Node)) (=> (edge x y) (not (= (colour x) (colour y))))))
(assert (forall ((x Node) (y Node)) (= (colour x) (colour y))))
(assert (exists ((x Node) (y Node)) (edge x y)))
(check-sat)
