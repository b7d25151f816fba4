; expected: sat
; Functions from one sort to a later one.
(declare-sort Node 0)
(declare-sort Colour 0)
(declare-fun colour (Node) Colour)
(declare-fun edge (Node Node) Bool)
(declare-const a Node)(declare-const b Node)
(assert (forall ((x Node) (y Node)) (=> (edge x y) (not (= (colour x) (colour y))))))
(assert (edge a b))
(assert (edge b a))
(check-sat)
