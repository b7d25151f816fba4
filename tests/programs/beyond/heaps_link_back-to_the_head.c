// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: link_back: violated
// STATUS: 1
/* All of them lead to the head. */
struct d { struct d *next, *prev; };
/*@ requires \list(next, h);
    ensures \forall struct d *u; u \in \cells(next, h, NULL) && u->next != NULL ==> u->next->prev == u;
@*/
void link_back(struct d *h)
{
  struct d *p = h;
  while (p != 0 && p->next != 0) {
    p->next->prev = h;
    p = p->next;
  }
}
