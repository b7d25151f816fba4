// RUN: certify %s %S/cert_lazy_false.cert
// EXPECT: tested: verified
// REFUSE: certified
// STATUS: 2
extern int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x == 41) reach_error(); return 0; }
