// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: find_complete: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h);
    ensures \result == NULL ==> (\forall struct node *u; u \in \cells(next, h, NULL) ==> u->d != k);
@*/
struct node *find_complete(struct node *h, int k)
{
  struct node *p = h;
  if (p != NULL)
    p = p->next;
  while (p != NULL && p->d != k)
    p = p->next;
  return p;
}
