// RUN: verify --engine vc --timeout 120 %s
// EXPECT: get: verified
// EXPECT: length: verified
// EXPECT: rest: verified
// EXPECT: use: violated
// EXPECT: next: verified
// STATUS: 1
/* Calls that are replaced by copies of the callee, whose contract has no formula for the call: what it requires is
   checked all the same. */
struct dnode { int v; struct dnode *next, *prev; };

/*@ requires \valid(x) && x->v > 0; ensures \result > 0; @*/
int get(struct dnode *x) { return x->v; }

/*@ requires n > 0; ensures \true; @*/
int length(int a[], int n) { return n; }

/*@ logic struct dnode *w;
    requires \valid(x) && w == x->next && x->prev == NULL;
    ensures  \result == w; @*/
struct dnode *rest(struct dnode *x) { return x->next; }

/*@ requires \valid(x) && x->v > -2; ensures \result > 1; @*/
int use(struct dnode *x) { int a[2]; return get(x) + length(a, 2) - 2; }

/*@ requires \valid(x) && x->prev == NULL; ensures \result == x->next; @*/
struct dnode *next(struct dnode *x) { return rest(x); }
