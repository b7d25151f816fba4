// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: insert_bug[bug]: violated
// EXPECT: insert_bug[figure2]: violated
// EXPECT: insert_bug[literal]: verified
// STATUS: 1
#include <stdlib.h>

struct node { int d; int c; struct node *n; };

/* Table 8, row 1: e != NULL is missing; the variant of Figure 2; and Figure 1 to the letter, where "the n of e
   is NULL" makes e a cell. */
/*@ requires h != NULL && \list(n, x);
    requires e != NULL ==> e->n == NULL && !(h -n*-> e);
    behavior bug: requires h -n+-> x; ensures h -n*-> e && e->n == x && \list(n, x);
    behavior figure2: requires h -n*-> x && x != h; ensures h -n*-> e && e->n == x && \list(n, x);
    behavior literal:
      requires h -n+-> x && x != h && \valid(e);
      ensures h -n*-> e && e->n == x && \list(n, x);
@*/
void insert_bug(struct node *h, struct node *e, struct node *x)
{
  struct node *p = h, *q = NULL;
  while (p != x && p != NULL) {
    q = p;
    p = p->n;
  }
  q->n = e;
  e->n = p;
}
