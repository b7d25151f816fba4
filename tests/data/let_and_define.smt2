; expected: sat
; Sharing, definitions, names in bars.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)

(define-fun on-path ((u Cell) (v Cell)) Bool ((_ reach next) u v))
(declare-const |the head| Cell)(declare-const end Cell)
(assert (let ((n (next |the head|))) (and (on-path n end) (distinct n |the head|))))
(check-sat)
