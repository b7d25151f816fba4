; expected: sat
; The pattern asks for instances at terms that instances make; they end because the function goes nowhere.
(declare-sort Key 0)
(declare-fun g (Key) Key)
(declare-const k Key)
(declare-const l Key)
(assert (forall ((x Key)) (! (= (g x) x) :pattern ((g x)))))
(assert (distinct k (g l)))
(check-sat)
