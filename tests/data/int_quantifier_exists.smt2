; expected: unsat
; Below a quantifier over the integers there is another one: each instance has a witness of its own.
(declare-sort Key 0)
(declare-fun slot (Int) Key)
(declare-fun holds (Key Int) Bool)
(declare-const k Key)
(declare-const i Int)
(assert (forall ((x Int)) (! (exists ((v Int)) (and (holds (slot x) v) (> v x))) :pattern ((slot x)))))
(assert (forall ((v Int)) (! (=> (holds k v) (<= v i)) :pattern ((holds k v)))))
(assert (= (slot i) k))
(check-sat)
