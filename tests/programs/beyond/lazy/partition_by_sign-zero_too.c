// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void);
struct node { int d; struct node *next; };

int main(void)
{
  struct node *h = NULL, *pos = NULL, *neg = NULL, *n;
  while (__VERIFIER_nondet_int()) { n = malloc(sizeof *n); n->d = __VERIFIER_nondet_int(); n->next = h; h = n; }
  while (h) {
    n = h; h = h->next;
    if (n->d >= 0) { n->next = pos; pos = n; } else { n->next = neg; neg = n; }
  }
  for (n = pos; n; n = n->next) assert(n->d > 0);
  for (n = neg; n; n = n->next) assert(n->d < 0);
  return 0;
}
