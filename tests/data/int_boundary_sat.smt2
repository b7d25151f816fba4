; expected: sat
; True for every integer as soon as the constants lie close together.
(declare-const low Int)
(declare-const high Int)
(declare-const far Int)
(assert (forall ((i Int)) (or (< i high) (> i low))))
(assert (forall ((i Int)) (=> (< low i high) (= i far))))
(assert (> far 1000000000000000000000))
(assert (= high (+ low 2)))
(check-sat)
