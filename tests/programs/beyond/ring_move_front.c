// RUN: verify --engine vc --timeout 120 %s
// EXPECT: move_front: verified
// A cell of a doubly linked ring moves to its front; that a cell has one before it is induction along the ring.
struct node { int key; struct node *next, *prev; };
/*@ requires \valid(h) && \cyclic(next, h) && \cyclic(prev, h);
    requires \forall struct node *u; h -next*-> u ==> u->next->prev == u && u->prev->next == u;
    requires h -next*-> x && x != h;
    requires \forall struct node *u; h -next*-> u ==> \valid(u);
    ensures h->next == x && x->prev == h;
    ensures h -next*-> x;
    ensures \forall struct node *u; \old(h -next*-> u) <==> h -next*-> u;
    ensures \forall struct node *u; h -next*-> u ==> u->next->prev == u && u->prev->next == u;
@*/
void move_front(struct node *h, struct node *x)
{
  x->prev->next = x->next;
  x->next->prev = x->prev;
  x->next = h->next;
  x->prev = h;
  h->next->prev = x;
  h->next = x;
}
