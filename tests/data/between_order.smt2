; expected: unsat
; Between is antisymmetric in its last two arguments.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(declare-const a Cell)(declare-const b Cell)(declare-const c Cell)
(assert ((_ between next) a b c))
(assert ((_ between next) a c b))
(assert (distinct b c))
(check-sat)
