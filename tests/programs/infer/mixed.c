// RUN: infer --timeout 60 %s
// EXPECT: mixed.c:
// REFUSE: given
// STATUS: 0
// RUN: infer --diff --timeout 60 --function front %s
// EXPECT: +/*@ requires \valid(d);
// RUN: verify %s
// EXPECT: mixed.c:given: verified
// RUN: verify --function front %s
// EXPECT: mixed.c:front: verified
// EXPECT: it has no contract; this one is inferred:
// PERSON front: \valid(d)
// PERSON even: \list(next, l)
// PERSON odd: \list(next, l)
// PERSON new_node: \true
// PERSON add: \valid(d)
// PERSON drop: \valid(d)
#include <stdlib.h>

/* A contract that is given stays; helpers, early returns, a failing malloc, functions that call each other. */
struct node { int value; struct node *next; };
struct deque { struct node *front, *back; };

/*@ requires \valid(n);
    ensures  \result == n->value; @*/
int given(struct node *n) { return n->value; }

struct node *front(struct deque *d)
{
  if (!d->front) return NULL;
  return d->front;
}

static struct node *new_node(int value)
{
  struct node *n = malloc(sizeof *n);
  if (n == NULL) return NULL;
  n->value = value;
  n->next = NULL;
  return n;
}

int add(struct deque *d, int value)
{
  struct node *n = new_node(value);
  if (n == NULL) return -1;
  n->next = d->front;
  d->front = n;
  if (d->back == NULL) d->back = n;
  return 0;
}

void drop(struct deque *d)
{
  struct node *n = d->front;
  if (n == NULL) return;
  if (n == d->back) d->back = NULL;
  d->front = n->next;
  free(n);
}

int odd(struct node *l);

int even(struct node *l)
{
  if (l == NULL) return 1;
  return odd(l->next);
}

int odd(struct node *l)
{
  if (l == NULL) return 0;
  return even(l->next);
}
