// RUN: verify --timeout 10 %s
// EXPECT: f: unknown
// EXPECT: error[syntax]
// REFUSE: : verified (
// STATUS: 65
// nothing is verified
/*@ behavior a: requires n > 0; ensures \result == ) 1; @*/
int f(int n) { return n; }
