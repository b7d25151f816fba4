// RUN: verify %s
// EXPECT: f: verified
// RUN: verify --engine pdr %s
// REFUSE: : violated
// STATUS: 2
/*@ ensures \result <= 255; @*/
int f(unsigned char c) { return c; }
