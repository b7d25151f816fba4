// RUN: verify --timeout 10 %s
// EXPECT: f: unknown
// EXPECT: error[syntax]
// REFUSE: : verified (
// STATUS: 65
// nothing is verified
struct node { struct node *next; };
/*@ requires x != ; ensures \true; @*/
void g(struct node *x);
/*@ ensures \true; @*/
void f(struct node *x) { g(x); }
