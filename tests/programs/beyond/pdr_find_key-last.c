// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: find_key: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h);
    ensures \result == NULL || (h -next*-> \result && \result->d == k);
@*/
struct node *find_key(struct node *h, int k)
{
  struct node *p = h;
  while (p != NULL) {
    if (p->d == k)
      return p;
    p = p->next;
  }
  return h;
}
