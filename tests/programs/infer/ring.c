// RUN: infer --timeout 60 %s
// EXPECT: requires \cyclic(next, r);
// STATUS: 0
// PERSON ring_insert: \valid(e) && (r == NULL || \cyclic(next, r)) && (r == NULL || !(r -next*-> e))
// PERSON ring_next: r == NULL || \cyclic(next, r)
// PERSON ring_remove: r == NULL || \cyclic(next, r)
// PERSON ring_length: \valid(r) && \cyclic(next, r)
// PERSON ring_init: \valid(e)
#include <stdlib.h>

struct cell { int data; struct cell *next; };

void ring_init(struct cell *e)
{
  e->next = e;
}

struct cell *ring_insert(struct cell *r, struct cell *e)
{
  if (r == NULL) {
    e->next = e;
    return e;
  }
  e->next = r->next;
  r->next = e;
  return r;
}

struct cell *ring_next(struct cell *r)
{
  if (r == NULL) return NULL;
  return r->next;
}

struct cell *ring_remove(struct cell *r)
{
  if (r == NULL) return NULL;
  struct cell *e = r->next;
  if (e == r) {
    free(e);
    return NULL;
  }
  r->next = e->next;
  free(e);
  return r;
}

int ring_length(struct cell *r)
{
  int n = 1;
  struct cell *c = r->next;
  while (c != r) {
    n++;
    c = c->next;
  }
  return n;
}
