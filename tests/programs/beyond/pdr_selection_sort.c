// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: selection_sort: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h);
    ensures \list(next, h) && \sorted(next, d, h, NULL);
@*/
void selection_sort(struct node *h)
{
  struct node *i = h;
  while (i != NULL) {
    struct node *m = i, *j = i->next;
    while (j != NULL) {
      if (j->d < m->d)
        m = j;
      j = j->next;
    }
    int t = i->d;
    i->d = m->d;
    m->d = t;
    i = i->next;
  }
}
