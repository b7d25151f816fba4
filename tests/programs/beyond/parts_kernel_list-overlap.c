// RUN: verify --engine vc --timeout 120 %s
// EXPECT: may_be_the_head: violated
// EXPECT: leads_into: violated
// EXPECT: used_after: violated
// EXPECT: part_freed: violated
// EXPECT: one_node: violated
// EXPECT: perhaps_a_part: violated
// STATUS: 1
#include <stdlib.h>
struct list_head { struct list_head *next, *prev; };
struct node { int value; struct list_head link; };

static void insert(struct list_head *e, struct list_head *h) {
  e->next = h->next; e->prev = h; h->next->prev = e; h->next = e;
}

/*@ requires \valid(n) && \valid(h) && \valid(h->next);
    ensures n->link.next == \old(h->next); @*/
void may_be_the_head(struct node *n, struct list_head *h) { insert(&n->link, h); }

/*@ requires \valid(n) && \valid(h);
    ensures n->link.next == \old(n->link.next); @*/
void leads_into(struct node *n, struct list_head *h) { h->next = NULL; }

/*@ requires \valid(n); ensures \true; @*/
void used_after(struct node *n) { struct list_head *l = &n->link; free(n); l->next = NULL; }

/*@ requires \valid(n); ensures \true; @*/
void part_freed(struct node *n) { struct list_head *l = &n->link; free(l); }

/*@ requires \valid(n) && \valid(m); ensures n->link.next == &m->link; @*/
void one_node(struct node *n, struct node *m) { n->link.next = &m->link; m->link.next = NULL; }

/*@ requires \valid(l) && \valid(n); ensures \true; @*/
void perhaps_a_part(struct list_head *l, struct node *n) { n->value = 1; free(l); }
