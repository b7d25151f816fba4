// RUN: verify %s
// EXPECT: f: verified
/*@ ensures 0 <= \result && \result <= 1; @*/
int f(_Bool b) { return b; }
