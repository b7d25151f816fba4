// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: replace_value: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h) && a != b;
    ensures \forall struct node *u; u \in \cells(next, h, NULL) ==> u->d != a;
@*/
void replace_value(struct node *h, int a, int b)
{
  struct node *p;
  for (p = h; p != NULL; p = p->next)
    if (p->d == a)
      p->d = b;
}
