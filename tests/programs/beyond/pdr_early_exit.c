// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: early_exit: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, a) && \list(next, b);
    ensures \result != NULL ==> a -next*-> \result && b -next*-> \result;
@*/
struct node *early_exit(struct node *a, struct node *b)
{
  struct node *p, *q;
  for (p = a; p != NULL; p = p->next) {
    for (q = b; q != NULL; q = q->next)
      if (p == q)
        return p;
  }
  return NULL;
}
