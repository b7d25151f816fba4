// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: remove_key: violated
// STATUS: 1
/* After a removal the next cell is stepped over. */
struct node { struct node *next; int data; };
/*@ requires \list(next, h);
    ensures \list(next, \result);
    ensures \cells(next, \result, NULL) \subset \old(\cells(next, h, NULL));
    ensures \forall struct node *u; u \in \cells(next, \result, NULL) ==> u->data != k;
@*/
struct node *remove_key(struct node *h, int k)
{
  struct node *p;
  while (h != 0 && h->data == k)
    h = h->next;
  p = h;
  while (p != 0 && p->next != 0) {
    if (p->next->data == k)
      p->next = p->next->next;
    p = p->next;
  }
  return h;
}
