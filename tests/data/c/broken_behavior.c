// expect: rejected
// nothing is verified
/*@ behavior a: requires n > 0; ensures \result == ) 1; @*/
int f(int n) { return n; }
