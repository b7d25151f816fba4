// RUN: verify --engine vc --timeout 120 %s
// EXPECT: append: violated
// EXPECT: pop: verified
// EXPECT: read: verified
// EXPECT: two: verified
// STATUS: 1
/* A pointer to the head: it may lead to a variable of the caller's or to the link of a cell. */
#include <stdlib.h>
struct node { int d; struct node *next; };

/*@ requires \valid(hp) && \list(next, *hp);
    requires \valid(e) && e->next == NULL && !(*hp -next*-> e);
    assigns  *hp, \cells(next, *hp, NULL)->next;
    ensures  \list(next, *hp);
    ensures  \cells(next, *hp, NULL) == \union(\old(\cells(next, *hp, NULL)), {e}); @*/
void append(struct node **hp, struct node *e)
{
  if (!*hp) { *hp = e; return; }
  struct node *c = *hp;
  /*@ loop invariant c != NULL && *hp -next*-> c;
      loop assigns   c; @*/
  while (c->next) c = c->next;
  c->next = e;
}

/*@ requires \valid(hp) && \list(next, *hp) && *hp != NULL;
    ensures  *hp == \old((*hp)->next) && \result == \old((*hp)->d) && \freed(\old(*hp)); @*/
int pop(struct node **hp)
{
  struct node *t = *hp;
  int d = t->d;
  *hp = t->next;
  free(t);
  return d;
}

/*@ requires \valid(p) && \valid(out);
    assigns  *out;
    ensures  *out == \old(p->d) + 1; @*/
void read(struct node *p, int *out) { *out = p->d + 1; }

/*@ requires \valid(e) && \valid(f) && e != f && e->next == NULL && f->next == NULL;
    ensures  \result == e && e->next == f && f->next == NULL; @*/
struct node *two(struct node *e, struct node *f)
{
  struct node *l = NULL;
  append(&l, e);
  append(&l, f);
  return l;
}
