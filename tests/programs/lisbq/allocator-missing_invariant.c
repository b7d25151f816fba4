// RUN: verify --engine vc --timeout 120 %s
// EXPECT: allocator: too-weak
// STATUS: 2
#include <stdlib.h>
struct region { int base, size; struct region *next; };

/* The free list of regions [base, base + size), and the address handed out last. */
struct region *head;
int addr;

/*@ predicate free_list(struct region *h) =
      \list(next, h) &&
      (\forall struct region *u; u \in \cells(next, h, NULL) ==> \valid(u) && u->size > 0) &&
      (\forall struct region *u; u \in \cells(next, h, NULL) ==>
        (\forall struct region *v; v \in \cells(next, h, NULL) ==>
          u == v || u->base + u->size <= v->base || v->base + v->size <= u->base));
@*/

/* First fit: a whole region is unlinked, a larger one is cut at its end. */
/*@ requires free_list(head);
    requires req > 0;
    ensures  free_list(head);
    ensures  \result == NULL || (\result \in \old(\cells(next, head, NULL)) && \old(\result->size) >= req);
    ensures  \result != NULL ==> \result->base <= addr && addr + req <= \result->base + \old(\result->size);
    ensures  \result == NULL ==> (\forall struct region *u; u \in \old(\cells(next, head, NULL)) ==> \old(u->size) < req);
    ensures  \result != NULL ==> (\forall struct region *u; u \in \cells(next, head, NULL) ==>
               addr + req <= u->base || u->base + u->size <= addr);
    ensures  \subset(\cells(next, head, NULL), \old(\cells(next, head, NULL)));
@*/
struct region *allocator(int req)
{
  struct region *p = NULL;
  struct region *c = head;
  /*@ loop invariant \btwn(next, head, c, NULL);
      loop invariant p == NULL ==> c == head;
      loop invariant \forall struct region *u; u \in \cells(next, head, c) ==> u->size < req;
  @*/
  while (c != NULL && c->size < req) {
    p = c;
    c = c->next;
  }
  if (c != NULL) {
    if (c->size == req) {
      addr = c->base;
      if (p == NULL) head = c->next; else p->next = c->next;
    } else {
      c->size = c->size - req;
      addr = c->base + c->size;
    }
  }
  return c;
}
