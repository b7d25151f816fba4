// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: circular_insert: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct list { struct list *next; };
/*@ requires h != NULL && \cyclic(next, h);
    ensures  \cyclic(next, h);
@*/
void circular_insert(struct list *h)
{
  struct list *t = malloc(sizeof *t);
  t->next = NULL;
  h->next = t;
}
