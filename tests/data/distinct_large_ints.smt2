; expected: unsat
; Different integers, two of which are equal by their bounds.
(declare-const i0 Int)(declare-const i1 Int)(declare-const i2 Int)(declare-const i3 Int)(declare-const i4 Int)(declare-const i5 Int)(declare-const i6 Int)(declare-const i7 Int)(declare-const i8 Int)(declare-const i9 Int)
(declare-const i10 Int)(declare-const i11 Int)(declare-const i12 Int)(declare-const i13 Int)(declare-const i14 Int)(declare-const i15 Int)(declare-const i16 Int)(declare-const i17 Int)(declare-const i18 Int)(declare-const i19 Int)
(declare-const i20 Int)(declare-const i21 Int)(declare-const i22 Int)(declare-const i23 Int)(declare-const i24 Int)(declare-const i25 Int)(declare-const i26 Int)(declare-const i27 Int)(declare-const i28 Int)(declare-const i29 Int)
(declare-const i30 Int)(declare-const i31 Int)(declare-const i32 Int)(declare-const i33 Int)(declare-const i34 Int)(declare-const i35 Int)(declare-const i36 Int)(declare-const i37 Int)(declare-const i38 Int)(declare-const i39 Int)
(declare-const i40 Int)(declare-const i41 Int)(declare-const i42 Int)(declare-const i43 Int)(declare-const i44 Int)(declare-const i45 Int)(declare-const i46 Int)(declare-const i47 Int)(declare-const i48 Int)(declare-const i49 Int)
(declare-const i50 Int)(declare-const i51 Int)(declare-const i52 Int)(declare-const i53 Int)(declare-const i54 Int)(declare-const i55 Int)(declare-const i56 Int)(declare-const i57 Int)(declare-const i58 Int)(declare-const i59 Int)
(declare-const i60 Int)(declare-const i61 Int)(declare-const i62 Int)(declare-const i63 Int)(declare-const i64 Int)(declare-const i65 Int)(declare-const i66 Int)(declare-const i67 Int)(declare-const i68 Int)(declare-const i69 Int)
(assert (distinct i0 i1 i2 i3 i4 i5 i6 i7 i8 i9 i10 i11 i12 i13 i14 i15 i16 i17 i18 i19 i20 i21 i22 i23 i24 i25 i26 i27 i28 i29 i30 i31 i32 i33 i34 i35 i36 i37 i38 i39 i40 i41 i42 i43 i44 i45 i46 i47 i48 i49 i50 i51 i52 i53 i54 i55 i56 i57 i58 i59 i60 i61 i62 i63 i64 i65 i66 i67 i68 i69))
(assert (and (<= i3 i60) (<= (* 2 i60) (+ i3 i4)) (<= i4 i3)))
(check-sat)
