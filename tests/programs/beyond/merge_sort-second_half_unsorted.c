// RUN: verify --engine vc --timeout 120 %s
// EXPECT: split: verified
// EXPECT: merge: verified
// EXPECT: sort: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int val; };

/* The second half of a list is cut off. */
/*@ requires \list(next, h) && h != NULL && h->next != NULL;
    ensures \list(next, h) && h != NULL && \list(next, \result) && \result != NULL;
    ensures \disjoint(\cells(next, h, NULL), \cells(next, \result, NULL));
    ensures \union(\cells(next, h, NULL), \cells(next, \result, NULL)) == \old(\cells(next, h, NULL));
    assigns \cells(next, h, NULL)->next; @*/
struct node *split(struct node *h)
{
  struct node *slow = h, *fast = h->next;
  /*@ loop invariant h -next*-> slow && slow -next*-> fast && slow != fast && slow != NULL && slow->next != NULL; @*/
  while (fast != NULL) {
    fast = fast->next;
    if (fast != NULL) { slow = slow->next; fast = fast->next; }
  }
  struct node *r = slow->next;
  slow->next = NULL;
  return r;
}

/*@ requires \list(next, a) && \list(next, b);
    requires \disjoint(\cells(next, a, NULL), \cells(next, b, NULL));
    requires \sorted(next, val, a, NULL) && \sorted(next, val, b, NULL);
    ensures \list(next, \result) && \sorted(next, val, \result, NULL);
    ensures \cells(next, \result, NULL) == \union(\old(\cells(next, a, NULL)), \old(\cells(next, b, NULL)));
    assigns \cells(next, a, NULL)->next, \cells(next, b, NULL)->next; @*/
struct node *merge(struct node *a, struct node *b)
{
  struct node *h, *t;
  if (a == NULL) return b;
  if (b == NULL) return a;
  if (a->val <= b->val) { h = a; a = a->next; } else { h = b; b = b->next; }
  t = h;
  /*@ loop invariant t != NULL && h -next*-> t && (t->next == a || t->next == b);
      loop invariant \list(next, a) && \list(next, b);
      loop invariant \disjoint(\cells(next, a, NULL), \cells(next, b, NULL), \cells(next, h, t->next));
      loop invariant \sorted(next, val, a, NULL) && \sorted(next, val, b, NULL) && \sorted(next, val, h, t->next);
      loop invariant a != NULL ==> t->val <= a->val;
      loop invariant b != NULL ==> t->val <= b->val;
      loop invariant \union(\cells(next, a, NULL), \cells(next, b, NULL), \cells(next, h, t->next))
                  == \union(\old(\cells(next, a, NULL)), \old(\cells(next, b, NULL))); @*/
  while (a != NULL && b != NULL) {
    if (a->val <= b->val) { t->next = a; a = a->next; } else { t->next = b; b = b->next; }
    t = t->next;
  }
  if (a != NULL) t->next = a; else t->next = b;
  return h;
}

/*@ requires \list(next, h);
    ensures \list(next, \result) && \sorted(next, val, \result, NULL);
    ensures \cells(next, \result, NULL) == \old(\cells(next, h, NULL));
    assigns \cells(next, h, NULL)->next; @*/
struct node *sort(struct node *h)
{
  if (h == NULL || h->next == NULL) return h;
  struct node *r = split(h);
  h = sort(h);
  return merge(h, r);
}
