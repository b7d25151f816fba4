// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void);
struct node { int d; struct node *next; };

struct node *g;
static void add(int v) { struct node *n = malloc(sizeof *n); n->d = v; n->next = g; g = n; }
static int has(int v) { struct node *c; for (c = g; c; c = c->next) if (c->d == v) return 1; return 0; }
int main(void)
{
  int i;
  for (i = 0; __VERIFIER_nondet_int(); i++) { add(i > 3 ? 2 : 1); if (i > 5) break; }
  if (has(2)) reach_error();
  if (g != NULL && !has(1)) reach_error();
  return 0;
}
