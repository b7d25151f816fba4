// RUN: verify %s
// EXPECT: twice: violated
// EXPECT: late: violated
// EXPECT: missing_test: violated
// EXPECT: drops_one: violated
// EXPECT: main: violated
// STATUS: 1
// Recursive calls are run: each of these fails with the bodies of all calls.
#include <stdlib.h>
#include <assert.h>
struct node { int v; struct node *next; };

/*@ requires \list(next, l); @*/
void twice(struct node *l) { if (l) { twice(l->next); free(l->next); free(l); } }

/*@ requires \list(next, l); @*/
void late(struct node *l) { if (l) { free(l); late(l->next); } }

/*@ requires \list(next, l); @*/
int missing_test(struct node *l) { return l->next ? 1 + missing_test(l->next) : 1; }

/*@ requires \list(next, l); ensures \result == \null || \result -next*-> \null; ensures \cells(next, \result, \null) == \old(\cells(next, l, \null)); @*/
struct node *drops_one(struct node *l)
{
  if (!l) return l;
  if (!l->next) return NULL;
  l->next = drops_one(l->next);
  return l;
}

/*@ requires \list(next, l); ensures \result >= 0; @*/
int len(struct node *l) { if (!l) return 0; return 1 + len(l->next); }

int main(void)
{
  struct node *a = malloc(sizeof *a);
  struct node *b = malloc(sizeof *b);
  a->next = b;
  b->next = NULL;
  assert(len(a) == 3);
  free(a);
  free(b);
  return 0;
}
