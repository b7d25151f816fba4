// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: append: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct list { struct list *next; };
/*@ requires \list(next, a) && \list(next, b) && \disjoint(\cells(next, a, NULL), \cells(next, b, NULL));
    ensures \list(next, \result); @*/
struct list *append(struct list *a, struct list *b)
{
  struct list *x = a;
  if (a == NULL) return b;
  while (x->next != NULL) x = x->next;
  x->next = b;
  return a;
}
