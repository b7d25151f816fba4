// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: delete_nth: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h) && n >= 0;
    ensures \list(next, \result);
    ensures n == 0 && h != NULL ==> \result == \old(h->next);
@*/
struct node *delete_nth(struct node *h, int n)
{
  if (h == NULL)
    return NULL;
  if (n == 0)
    return h->next;
  struct node *p = h;
  while (n > 1 && p->next != NULL) {
    p = p->next;
    n = n - 1;
  }
  if (p->next != NULL)
    p->next = p->next->next;
  return h;
}
