// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: delete_all[safety]: verified
// EXPECT: delete_all[freed]: verified
#include <stdlib.h>

struct node { int d; int c; struct node *n; };

/*@ requires \list(n, h);
    behavior safety: requires \stable(n, h);
    behavior freed: requires \stable(n, h); requires h -n*-> x && x != NULL; ensures !\valid(x);
@*/
void delete_all(struct node *h, struct node *x)
{
  while (h != NULL) {
    struct node *t = h->n;
    free(h);
    h = t;
  }
}
