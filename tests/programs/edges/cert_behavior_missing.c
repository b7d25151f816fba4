// RUN: certify %s %S/cert_behavior_missing.cert
// EXPECT: f[pos]: certified: verified
// EXPECT: f[neg]: no certificate
// EXPECT: g: no certificate
// STATUS: 2
/*@ behavior pos: requires x > 0; ensures \result == 1; behavior neg: requires x <= 0; ensures \result == 1; @*/
int f(int x){ return x > 0 ? 1 : 0; }
/*@ ensures \result == 0; @*/
int g(int x){ return x; }
