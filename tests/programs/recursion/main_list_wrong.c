// RUN: verify --check memsafety,leaks --timeout 60 %s
// EXPECT: main: violated
// STATUS: 1

/* Lists are made, joined and freed by recursive functions without contracts. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct list { struct list *next; int value; };

static struct list *some(void)
{
  if (__VERIFIER_nondet_int())
    return NULL;
  struct list *l = malloc(sizeof *l);
  l->value = __VERIFIER_nondet_int();
  l->next = some();
  return l;
}

static struct list *join(struct list *a, struct list *b)
{
  if (!a)
    return b;
  a->next = join(a->next, b);
  return a;
}

static void drop(struct list *l)
{
  if (l) {
    drop(l->next);
    free(l);
  }
}

int main(void)
{
  struct list *a = some(), *b = some();
  a = join(a, b);
  drop(a);
  drop(b);
  return 0;
}
