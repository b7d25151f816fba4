// RUN: verify --quiet --svcomp valid-memsafety %s
// EXPECT: main: verified (paths
// EXPECT: VERDICT: true
// RUN: verify --quiet --svcomp valid-memsafety -DBUG %s
// EXPECT: VERDICT: false(valid-deref)
// STATUS: 1

// Runs are endless, states are few: a pool of objects in an array, and a cache of at most two cells that keys decide about.
#include <stdlib.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);
#define POOL 16
struct obj { struct obj *next; int used; };
static struct obj pool[POOL];
static struct obj *avail;
static struct obj *get(void) { struct obj *o = avail; if (o) { avail = o->next; o->used = 1; } return o; }
static void put(struct obj *o) { o->used = 0; o->next = avail; avail = o; }

struct ent { int key; struct ent *next; };
static struct ent *first;
static int size;
static void touch(int key)
{
  struct ent *e;
  for (e = first; e; e = e->next)
    if (e->key == key) return;
  if (size == 2) {
    struct ent *last = first->next;
    first->next = NULL;
    free(last);
#ifdef BUG
    last->next = NULL;
#endif
    size--;
  }
  e = malloc(sizeof *e);
  e->key = key;
  e->next = first;
  first = e;
  size++;
}

int main(void)
{
  struct obj *held = NULL;
  for (int i = POOL - 1; i >= 0; i--) { pool[i].next = avail; avail = &pool[i]; }
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) touch(__VERIFIER_nondet_int());
    else if (!held) held = get();
    else { put(held); held = NULL; }
  }
  if (held) put(held);
  while (first) { struct ent *n = first->next; free(first); first = n; }
  return 0;
}
