// RUN: infer --timeout 60 %s
// EXPECT: requires \list(next, l);
// STATUS: 0
// PERSON count: \list(next, l)
// PERSON destroy: \list(next, l)
// PERSON member: \list(next, l)
// PERSON last: \valid(l) && \list(next, l)
// PERSON insert_sorted: \list(next, l) && \valid(e) && !(l -next*-> e)
// PERSON clone: \list(next, l)
#include <stdlib.h>

struct node { int key; struct node *next; };

int count(struct node *l)
{
  return l ? 1 + count(l->next) : 0;
}

void destroy(struct node *l)
{
  if (l == NULL) return;
  destroy(l->next);
  free(l);
}

int member(struct node *l, int k)
{
  if (!l) return 0;
  if (l->key == k) return 1;
  return member(l->next, k);
}

struct node *last(struct node *l)
{
  if (l->next == NULL) return l;
  return last(l->next);
}

struct node *insert_sorted(struct node *l, struct node *e)
{
  if (l == NULL || e->key <= l->key) {
    e->next = l;
    return e;
  }
  l->next = insert_sorted(l->next, e);
  return l;
}

struct node *clone(struct node *l)
{
  if (l == NULL) return NULL;
  struct node *n = malloc(sizeof *n);
  n->key = l->key;
  n->next = clone(l->next);
  return n;
}
