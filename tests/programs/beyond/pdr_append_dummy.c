// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: append_dummy: verified
struct node { struct node *next; int val; };

/*@ requires \list(next, a) && \valid(e) && e->next == 0 && !(a -next*-> e);
    ensures \list(next, \result) && \result -next*-> e;
@*/
struct node *append_dummy(struct node *a, struct node *e)
{
  struct node d;
  struct node *t = &d;
  d.next = a;
  while (t->next != 0)
    t = t->next;
  t->next = e;
  return d.next;
}
