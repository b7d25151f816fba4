; expected: unsat
; Insert e between x and next(x): whatever x reached before, it still reaches.
(declare-sort Cell 0)
(declare-fun next (Cell) Cell)
(declare-const null Cell)
(declare-const x Cell)
(declare-const e Cell)
(declare-const y Cell)
(assert (= (next null) null))
(assert (! ((_ between next) x y null) :named y_on_list))
(assert (! (not (= x null)) :named x_is_a_cell))
(assert (! (not ((_ reach next) x e)) :named e_not_on_list))
(assert (! (not (= e null)) :named e_is_a_cell))
; After e->next = x->next; x->next = e, y is on the list x, e, next(x), ...
(assert (! (not (or (= y x) (= y e) ((_ between next) (next x) y null))) :named y_lost))
(check-sat)
