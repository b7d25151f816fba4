// RUN: verify --timeout 10 %s
// EXPECT: merge: verified
// EXPECT: split: verified
// REFUSE: : violated
// STATUS: 2
#include <stdlib.h>
struct node { int v; struct node *next; };
/*@ requires \list(next, a) && \list(next, b) && \disjoint(\cells(next, a, NULL), \cells(next, b, NULL));
    ensures \list(next, \result) && \stable(next, \result); @*/
struct node *merge(struct node *a, struct node *b)
{
    struct node dummy, *tail = &dummy;
    dummy.next = NULL;
    while (a && b) {
        if (a->v <= b->v) { tail->next = a; a = a->next; }
        else { tail->next = b; b = b->next; }
        tail = tail->next;
    }
    tail->next = a ? a : b;
    return dummy.next;
}
/*@ requires \list(next, l) && l != NULL;
    ensures \stable(next, l) && \stable(next, \result) && \list(next, l) && \list(next, \result) && \disjoint(\cells(next, l, NULL), \cells(next, \result, NULL)); @*/
struct node *split(struct node *l)
{
    struct node *slow = l, *fast = l->next;
    while (fast && fast->next) { slow = slow->next; fast = fast->next->next; }
    struct node *r = slow->next;
    slow->next = NULL;
    return r;
}
/*@ requires \list(next, l);
    ensures \list(next, \result) && \stable(next, \result); @*/
struct node *sort(struct node *l)
{
    if (!l || !l->next) return l;
    struct node *r = split(l);
    l = sort(l);
    r = sort(r);
    return merge(l, r);
}
