// RUN: verify --engine vc --timeout 120 %s
// EXPECT: all_nonneg: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct outer { struct outer *down; struct node *row; };
int all_nonneg(struct outer *o)
/*@ requires \list(down, o) && (\forall struct outer *u; u \in \cells(down, o, NULL) ==> \list(next, u->row));
    assigns \nothing;
    ensures \result == 1 ==> (\forall struct outer *u; u \in \cells(down, o, NULL) ==> (u->row != NULL ==> u->row->d >= 0)); @*/
{
  struct outer *p = o;
  /*@ loop invariant o -down*-> p && \list(down, p);
      loop invariant \forall struct outer *u; u \in \cells(down, o, p) ==> (u->row != NULL ==> u->row->d >= 0); @*/
  while (p != NULL) {
    if (p->row != NULL && p->row->d < -1) return 0;
    p = p->down;
  }
  return 1;
}
