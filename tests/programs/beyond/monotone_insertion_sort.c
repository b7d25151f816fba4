// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: insertion_sort: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct list { struct list *next; int key; };
/*@ requires \list(next, l);
    ensures  \list(next, \result);
@*/
struct list *insertion_sort(struct list *l)
{
  struct list *r = NULL, *x, *p, *q;
  while (l != NULL) {
    x = l;
    l = l->next;
    p = NULL;
    q = r;
    while (q != NULL && q->key < x->key) { p = q; q = q->next; }
    x->next = q;
    if (p != NULL) p->next = x; else r = x;
  }
  return r;
}
