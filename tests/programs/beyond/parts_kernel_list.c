// RUN: verify --engine vc --timeout 120 %s
// EXPECT: add_node: verified
// EXPECT: first_value: verified
// EXPECT: clear: verified
// EXPECT: drop: verified
// EXPECT: unlink_node: verified
#include <stdlib.h>
struct list_head { struct list_head *next, *prev; };
struct node { int value; struct list_head link; };

static void insert(struct list_head *e, struct list_head *h) {
  e->next = h->next; e->prev = h; h->next->prev = e; h->next = e;
}

/*@ requires \valid(n) && \valid(h) && \valid(h->next) && &n->link != h && &n->link != h->next;
    ensures h->next == &n->link && n->link.prev == h && n->link.next == \old(h->next);
    ensures n->value == \old(n->value); @*/
void add_node(struct node *n, struct list_head *h) { insert(&n->link, h); }

/*@ requires \valid(n) && \valid(h) && h->next == &n->link;
    ensures \result == n->value && n->link.next == NULL; @*/
int first_value(struct node *n, struct list_head *h) { h->next->next = NULL; return n->value; }

/*@ requires \list(next, h) && \valid(n);
    ensures n->value == \old(n->value) && \list(next, h);
    ensures \forall struct list_head *u; u \in \cells(next, h, NULL) ==> u->prev == NULL; @*/
void clear(struct node *n, struct list_head *h) {
  struct list_head *c = h;
  /*@ loop invariant h -next*-> c && \list(next, c) && n->value == \old(n->value);
      loop invariant \forall struct list_head *u; u \in \cells(next, h, c) ==> u->prev == NULL; @*/
  while (c) { c->prev = NULL; c = c->next; }
}

/*@ requires \valid(n); ensures \freed(n) && \freed(&n->link); @*/
void drop(struct node *n) { struct list_head *l = &n->link; l->next = NULL; free(n); }

/*@ requires \valid(n) && \valid(n->link.next) && \valid(n->link.prev);
    requires n->link.next != &n->link && n->link.prev != &n->link;
    ensures \old(n->link.prev)->next == \old(n->link.next) && n->value == 7; @*/
void unlink_node(struct node *n) {
  struct list_head *l = &n->link;
  l->prev->next = l->next; l->next->prev = l->prev;
  n->value = 7;
}
