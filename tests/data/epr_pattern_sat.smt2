; expected: sat
; Patterns are hints only: inside EPR the answer does not depend on them.
(declare-sort Key 0)
(declare-fun r (Key Key) Bool)
(declare-const a Key)
(declare-const b Key)
(assert (forall ((x Key) (y Key)) (! (=> (r x y) (r y x)) :pattern ((r x y)))))
(assert (r a b))
(assert (not (r a a)))
(check-sat)
