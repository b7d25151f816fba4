; expected: unsat
; Fields that agree along the way reach the same.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-fun down (Cell) Cell)
(declare-const x Cell)
(assert (= (next x) (down x)))
(assert (= (next (next x)) (down (down x))))
(assert (not ((_ reach down) x (next (next x)))))
(check-sat)
