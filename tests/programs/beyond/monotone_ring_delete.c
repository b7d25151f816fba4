// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: circular_delete: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct list { struct list *next; };
/*@ requires h != NULL && \cyclic(next, h);
    ensures  \cyclic(next, h);
@*/
void circular_delete(struct list *h)
{
  struct list *t = h->next;
  if (t != h) {
    h->next = t->next;
    free(t);
  }
}
