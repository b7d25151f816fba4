; expected: sat
; Everybody has a neighbour other than himself: instances would make neighbours of neighbours for ever.
(declare-sort Person 0)
(declare-fun near (Person Person) Bool)
(declare-fun friend (Person) Person)
(assert (forall ((x Person)) (exists ((y Person)) (and (near x y) (distinct x y)))))
(assert (forall ((x Person)) (and (near x (friend x)) (= (friend (friend x)) x))))
(check-sat)
