// RUN: verify %s
// REFUSE: : violated
// EXPECT: destroy: too-weak
// EXPECT: the contract of `destroy` allows this
// STATUS: 2
#include <stdlib.h>
struct node { int v; struct node *next; };
/*@ requires \list(next, l); ensures \result >= 0; @*/
int len(struct node *l) { if (!l) return 0; return 1 + len(l->next); }
/*@ requires \list(next, l); ensures \list(next, \result); @*/
struct node *insert(struct node *l, int k)
{
  if (!l || l->v >= k) { struct node *n = malloc(sizeof *n); n->v = k; n->next = l; return n; }
  l->next = insert(l->next, k);
  return l;
}
/*@ requires \list(next, l); @*/
void destroy(struct node *l) { if (l) { destroy(l->next); free(l); } }
