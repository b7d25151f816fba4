// expect: rejected
// nothing is verified
struct node { struct node *next; };
/*@ requires \list(next, x);
    ensures \result == x && (\result; @*/
struct node *f(struct node *x) { return x; }
