// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: remove_key: violated
// STATUS: 1
#include <stdlib.h>
struct node { int key; struct node *next; };

/*@ requires \list(next, h);
    ensures  \list(next, \result);
    ensures  \forall struct node *u; u \in \cells(next, \result, NULL) ==> u->key != k;
@*/
struct node *remove_key(struct node *h, int k)
{
  struct node **link = &h;
  while (*link != NULL) {
    struct node *n = *link;
    if (n->key == k) {
      *link = n->next;
      free(n);
    } else {
      link = &n->next;
      if (*link != NULL) link = &(*link)->next;
    }
  }
  return h;
}
