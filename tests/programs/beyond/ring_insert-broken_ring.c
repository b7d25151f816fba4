// RUN: verify --engine vc --timeout 120 %s
// EXPECT: ring_insert: violated
// STATUS: 1
#include <stdlib.h>
struct node { int data; struct node *next; };

/* A ring with a sentinel s: insert a new cell behind the sentinel. */
/*@ requires \valid(s) && \cyclic(next, s);
    ensures  \cyclic(next, s);
    ensures  \fresh(\result) && \valid(\result) && \result->data == d && s->next == \result;
    ensures  \cells(next, s->next, s) == \union(\old(\cells(next, s->next, s)), {\result});
@*/
struct node *ring_insert(struct node *s, int d)
{
  struct node *n = malloc(sizeof(struct node));
  n->data = d;
  n->next = NULL;
  s->next = n;
  return n;
}
