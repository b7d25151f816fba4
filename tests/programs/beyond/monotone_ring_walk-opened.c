// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: circular_walk: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct list { struct list *next; };
/*@ requires h != NULL && \cyclic(next, h); ensures \cyclic(next, h); @*/
void circular_walk(struct list *h)
{
  struct list *x = h->next;
  while (x != h) { h->next = x->next; x = x->next; }
  h->next = NULL;
}
