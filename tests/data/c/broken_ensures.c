// RUN: verify --timeout 10 %s
// EXPECT: f: unknown
// EXPECT: error[syntax]
// REFUSE: : verified (
// STATUS: 65
// nothing is verified
struct node { struct node *next; };
/*@ requires \list(next, x);
    ensures \result == x && (\result; @*/
struct node *f(struct node *x) { return x; }
