// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: bubble_sort: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct list { struct list *next; int key; };
/*@ requires \list(next, l);
    ensures  \list(next, \result);
@*/
struct list *bubble_sort(struct list *l)
{
  struct list *p, *x, *y;
  int swapped = 1;
  while (swapped) {
    swapped = 0;
    p = NULL;
    x = l;
    while (x != NULL && x->next != NULL) {
      y = x->next;
      if (y->key < x->key) {
        x->next = y->next;
        y->next = x;
        if (p != NULL) p->next = y; else l = y;
        p = y;
        swapped = 1;
      } else {
        p = x;
        x = y;
      }
    }
  }
  return l;
}
