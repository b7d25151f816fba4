// RUN: verify --check memsafety,leaks --timeout 60 %s
// EXPECT: main: verified (paths

/* A tree is built, turned and freed by recursive functions without contracts. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *child[2]; int key; };

static struct tree *build(void)
{
  if (__VERIFIER_nondet_int())
    return NULL;
  struct tree *t = malloc(sizeof *t);
  t->key = __VERIFIER_nondet_int();
  t->child[0] = build();
  t->child[1] = build();
  return t;
}

static void mirror(struct tree *t)
{
  if (!t)
    return;
  struct tree *first = t->child[0];
  t->child[0] = t->child[1];
  t->child[1] = first;
  mirror(t->child[0]);
  mirror(t->child[1]);
}

static int count(const struct tree *t) { return t ? 1 + count(t->child[0]) + count(t->child[1]) : 0; }

static void drop(struct tree *t)
{
  if (!t)
    return;
  drop(t->child[0]);
  drop(t->child[1]);
  free(t);
}

int main(void)
{
  struct tree *t = build();
  mirror(t);
  int n = count(t);
  drop(t);
  return n > 1000;
}
