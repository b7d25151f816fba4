// RUN: verify %s
// EXPECT: :read_it: unknown
// STATUS: 2

struct node { int v; struct node *next; void *data; };
/*@ requires \valid(n); */
int read_it(struct node *n) { int *p = n->data; return *p; }
