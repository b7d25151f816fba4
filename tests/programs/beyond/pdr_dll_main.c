// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct dn { struct dn *next; struct dn *prev; int val; };

int main(void) {
  struct dn *h = NULL;
  while (__VERIFIER_nondet_int()) {
    struct dn *n = malloc(sizeof *n); if (!n) return 0;
    n->next = h; n->prev = NULL; n->val = 0; if (h) h->prev = n; h = n;
  }
  struct dn *c = h;
  while (c) { if (c->next && c->next->prev != c) reach_error(); c = c->next; }
  while (h) { c = h->next; free(h); h = c; }
  return 0;
}
