// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: link_back: verified
/* The links back of a list are made in one walk. No predicates are given. */
struct d { struct d *next, *prev; };
/*@ requires \list(next, h);
    ensures \forall struct d *u; u \in \cells(next, h, NULL) && u->next != NULL ==> u->next->prev == u;
@*/
void link_back(struct d *h)
{
  struct d *p = h;
  while (p != 0 && p->next != 0) {
    p->next->prev = p;
    p = p->next;
  }
}
