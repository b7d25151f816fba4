// RUN: infer --timeout 60 %s
// EXPECT: requires \list(next, l);
// EXPECT: ensures  \result == 0 <==> l == NULL;
// EXPECT: behavior list:
// STATUS: 0
// RUN: infer --report --timeout 60 --function slist_prepend %s
// EXPECT: slist.c:slist_prepend: safe if \valid(e)
// PERSON slist_length: \list(next, l)
// PERSON slist_find: \list(next, l)
// PERSON slist_nth: \list(next, l)
// PERSON slist_prepend: \valid(e) && \list(next, l) && !(l -next*-> e)
// PERSON slist_append: \valid(e) && \list(next, l) && !(l -next*-> e)
// PERSON slist_insert_after: \valid(p) && \valid(e) && \list(next, p) && !(p -next*-> e)
// PERSON slist_remove_next: \valid(p) && \list(next, p)
// PERSON slist_reverse: \list(next, l)
// PERSON slist_concat: \list(next, a) && \list(next, b) && \disjoint(\cells(next, a, NULL), \cells(next, b, NULL))
// PERSON slist_free: \list(next, l)
// PERSON slist_copy: \list(next, l)
// PERSON slist_last: \list(next, l)
// PERSON slist_remove: \list(next, l)
#include <stdlib.h>

/* Singly linked lists as most C libraries have them. */
typedef struct slist {
  int data;
  struct slist *next;
} slist;

int slist_length(const slist *l)
{
  int n = 0;
  while (l != NULL) {
    n++;
    l = l->next;
  }
  return n;
}

slist *slist_find(slist *l, int v)
{
  while (l && l->data != v)
    l = l->next;
  return l;
}

slist *slist_nth(slist *l, int n)
{
  for (; n > 0 && l != NULL; n--)
    l = l->next;
  return l;
}

slist *slist_prepend(slist *l, slist *e)
{
  e->next = l;
  return e;
}

slist *slist_append(slist *l, slist *e)
{
  slist *c;
  e->next = NULL;
  if (l == NULL) return e;
  for (c = l; c->next != NULL; c = c->next)
    ;
  c->next = e;
  return l;
}

void slist_insert_after(slist *p, slist *e)
{
  e->next = p->next;
  p->next = e;
}

slist *slist_remove_next(slist *p)
{
  slist *q = p->next;
  if (q != NULL) {
    p->next = q->next;
    q->next = NULL;
  }
  return q;
}

slist *slist_reverse(slist *l)
{
  slist *r = NULL;
  while (l != NULL) {
    slist *n = l->next;
    l->next = r;
    r = l;
    l = n;
  }
  return r;
}

slist *slist_concat(slist *a, slist *b)
{
  slist *c = a;
  if (a == NULL) return b;
  while (c->next != NULL) c = c->next;
  c->next = b;
  return a;
}

void slist_free(slist *l)
{
  while (l != NULL) {
    slist *n = l->next;
    free(l);
    l = n;
  }
}

slist *slist_copy(const slist *l)
{
  slist *h = NULL, *t = NULL;
  while (l != NULL) {
    slist *n = malloc(sizeof *n);
    n->data = l->data;
    n->next = NULL;
    if (t == NULL) h = n;
    else t->next = n;
    t = n;
    l = l->next;
  }
  return h;
}

slist *slist_last(slist *l)
{
  if (!l) return NULL;
  while (l->next) l = l->next;
  return l;
}

slist *slist_remove(slist *l, int v)
{
  slist *prev = NULL, *c = l;
  while (c != NULL && c->data != v) {
    prev = c;
    c = c->next;
  }
  if (c == NULL) return l;
  if (prev == NULL) l = c->next;
  else prev->next = c->next;
  free(c);
  return l;
}
