// RUN: verify %s
// EXPECT: f: verified
// RUN: verify --engine pdr %s
// REFUSE: : violated
// STATUS: 2
struct n { struct n *nx; };
/*@ requires \list(nx, l); ensures \result <= 255; @*/
int f(struct n *l, unsigned char c) { while (l) l = l->nx; return c; }
