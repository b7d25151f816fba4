; expected: sat
; A function from one sort to another under a pattern: the universe is finite.
(declare-sort Key 0)
(declare-sort Box 0)
(declare-fun owner (Key) Box)
(declare-const k Key)
(declare-const b Box)
(assert (forall ((x Key)) (! (not (= (owner x) b)) :pattern ((owner x)))))
(assert (= (owner k) (owner k)))
(check-sat)
