// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: delete: violated
// STATUS: 1
/* A list among other links. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *owner; };
/*@ requires \list(next, l) && l != NULL;
    ensures  \list(next, l);
@*/
void delete(struct node *l)
{
  struct node *p = l, *x;
  while (p->next != NULL && __VERIFIER_nondet_int()) p = p->next;
  x = p->next;
  if (x != NULL) {
    free(x);
    p->next = x->next;
  }
}
