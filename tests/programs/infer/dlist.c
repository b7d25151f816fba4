// RUN: infer --timeout 60 %s
// EXPECT: requires \valid(e);
// STATUS: 0
// PERSON dl_insert_before: \valid(p) && \valid(e) && p != e && (p->prev == NULL || p->prev->next == p)
// PERSON dl_insert_after: \valid(p) && \valid(e) && p != e && (p->next == NULL || p->next->prev == p)
// PERSON dl_unlink: \valid(e) && (e->prev == NULL || e->prev->next == e) && (e->next == NULL || e->next->prev == e) && e->next != e
// PERSON dl_push_back: \valid(d) && \valid(e) && \dlseg(next, prev, d->head, NULL, NULL, d->tail) && !(d->head -next*-> e)
// PERSON dl_push_front: \valid(d) && \valid(e) && \dlseg(next, prev, d->head, NULL, NULL, d->tail) && !(d->head -next*-> e)
// PERSON dl_pop_front: \valid(d) && \dlseg(next, prev, d->head, NULL, NULL, d->tail)
// PERSON dl_pop_back: \valid(d) && \dlseg(next, prev, d->head, NULL, NULL, d->tail)
// PERSON dl_length: \valid(d) && \list(next, d->head)
// PERSON dl_first: \list(prev, e)
#include <stddef.h>

struct dn { int data; struct dn *next, *prev; };
struct deque { struct dn *head, *tail; int len; };

void dl_insert_before(struct dn *p, struct dn *e)
{
  e->next = p;
  e->prev = p->prev;
  if (p->prev != NULL) p->prev->next = e;
  p->prev = e;
}

void dl_insert_after(struct dn *p, struct dn *e)
{
  e->prev = p;
  e->next = p->next;
  if (p->next) p->next->prev = e;
  p->next = e;
}

void dl_unlink(struct dn *e)
{
  if (e->prev != NULL) e->prev->next = e->next;
  if (e->next != NULL) e->next->prev = e->prev;
  e->next = NULL;
  e->prev = NULL;
}

void dl_push_back(struct deque *d, struct dn *e)
{
  e->next = NULL;
  e->prev = d->tail;
  if (d->tail != NULL) d->tail->next = e;
  else d->head = e;
  d->tail = e;
  d->len++;
}

void dl_push_front(struct deque *d, struct dn *e)
{
  e->prev = NULL;
  e->next = d->head;
  if (d->head) d->head->prev = e;
  else d->tail = e;
  d->head = e;
  d->len++;
}

struct dn *dl_pop_front(struct deque *d)
{
  struct dn *e = d->head;
  if (e == NULL) return NULL;
  d->head = e->next;
  if (d->head != NULL) d->head->prev = NULL;
  else d->tail = NULL;
  e->next = NULL;
  d->len--;
  return e;
}

struct dn *dl_pop_back(struct deque *d)
{
  struct dn *e = d->tail;
  if (e == NULL) return NULL;
  d->tail = e->prev;
  if (d->tail != NULL) d->tail->next = NULL;
  else d->head = NULL;
  e->prev = NULL;
  d->len--;
  return e;
}

int dl_length(const struct deque *d)
{
  int n = 0;
  for (struct dn *c = d->head; c != NULL; c = c->next) n++;
  return n;
}

struct dn *dl_first(struct dn *e)
{
  if (e == NULL) return NULL;
  while (e->prev != NULL) e = e->prev;
  return e;
}
