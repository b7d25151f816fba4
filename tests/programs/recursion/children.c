// RUN: verify %s
// EXPECT: :count: verified
// EXPECT: :depth: verified
// EXPECT: :depth_wrong: violated
// EXPECT: :release: verified
// EXPECT: :release_wrong: violated
// EXPECT: :duplicate: verified
// EXPECT: :find: verified
// EXPECT: :find_wrong: violated
// STATUS: 1
//
// Trees whose cells have any number of children, with a link back that nobody may follow.
#include <stdlib.h>
struct item { int type; struct item *next, *prev, *child; };

/*@ requires \tree(child, next, t); assigns \nothing; ensures \result >= 0; @*/
int count(struct item *t)
{
  int n = 0;
  for (; t; t = t->next) n += 1 + count(t->child);
  return n;
}

/*@ requires \tree(child, next, t); assigns \nothing; ensures \result >= 0; @*/
int depth(struct item *t)
{
  int best = 0;
  if (!t) return 0;
  for (struct item *c = t->child; c; c = c->next) {
    int d = depth(c);
    if (d > best) best = d;
  }
  return best + 1;
}
/*@ requires \tree(child, next, t); assigns \nothing; ensures \result >= 1; @*/
int depth_wrong(struct item *t)
{
  int best = 0;
  if (!t) return 0;
  for (struct item *c = t->child; c; c = c->next) {
    int d = depth_wrong(c);
    if (d > best) best = d;
  }
  return best + 1;
}

/*@ requires \tree(child, next, t); @*/
void release(struct item *t)
{
  while (t) {
    struct item *next = t->next;
    if (t->child) release(t->child);
    free(t);
    t = next;
  }
}
/*@ requires \tree(child, next, t); @*/
void release_wrong(struct item *t)
{
  while (t) {
    struct item *next = t->next;
    if (t->child) release_wrong(t->child);
    free(t->prev);
    t = next;
  }
}

/*@ requires \tree(child, next, t); assigns \nothing; ensures \tree(child, next, \result); @*/
struct item *duplicate(struct item *t)
{
  if (!t) return NULL;
  struct item *n = malloc(sizeof *n);
  n->type = t->type;
  n->prev = NULL;
  n->child = duplicate(t->child);
  n->next = duplicate(t->next);
  if (n->next) n->next->prev = n;
  return n;
}

/*@ requires \tree(child, next, t); assigns \nothing; ensures \result == \null || \result->type == k; @*/
struct item *find(struct item *t, int k)
{
  if (!t || t->type == k) return t;
  struct item *f = find(t->child, k);
  if (f) return f;
  return find(t->next, k);
}
/*@ requires \tree(child, next, t); assigns \nothing; ensures \result == \null || \result->type == k; @*/
struct item *find_wrong(struct item *t, int k)
{
  if (!t || t->type >= k) return t;
  struct item *f = find_wrong(t->child, k);
  if (f) return f;
  return find_wrong(t->next, k);
}
