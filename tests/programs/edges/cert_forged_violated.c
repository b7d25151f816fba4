// RUN: certify %s %S/cert_forged_violated.cert
// EXPECT: rejected: the function cannot be entered in that state
// STATUS: 1
/*@ ensures \result <= 255; @*/
int f(unsigned char c) { return c; }
