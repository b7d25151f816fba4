// RUN: verify %s
// EXPECT: :release: verified
// EXPECT: :release_more: violated
// EXPECT: :keep: verified
// EXPECT: :make: verified
// EXPECT: :make_more: violated
// EXPECT: :all: verified
// STATUS: 1
#include <stdlib.h>
struct node { int data; struct node *next; };

/*@ requires \valid(x); frees x; allocates \nothing; @*/
void release(struct node *x) { free(x); }

/*@ requires \valid(x) && \valid(y) && \separated(x, y); frees x; @*/
void release_more(struct node *x, struct node *y) { free(y); }

/*@ requires \valid(x); frees \nothing; assigns x->data; @*/
void keep(struct node *x) { x->data = 1; }

/*@ allocates \result; frees \nothing; ensures \valid(\result); @*/
struct node *make(void) { return malloc(sizeof(struct node)); }

/*@ requires \valid(x); allocates \nothing; @*/
void make_more(struct node *x) { x->next = malloc(sizeof(struct node)); }

/*@ requires \list(next, l) && \stable(next, l); frees \cells(next, l, NULL); @*/
void all(struct node *l)
{
  /*@ loop invariant \list(next, l) && \stable(next, l) && \old(l) -next*-> l;
      loop invariant \forall struct node *u; \old(\valid(u)) && !(u \in \old(\cells(next, l, NULL))) ==> \valid(u); @*/
  while (l) { struct node *n = l->next; free(l); l = n; }
}
