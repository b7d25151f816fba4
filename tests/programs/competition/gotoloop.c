// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-deref)
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct n { struct n *next; };
int main() {
  struct n *l = 0, *t; int k = 0;
again:
  if (k < 3) { t = malloc(sizeof(struct n)); t->next = l; l = t; k++; goto again; }
  while (k-- >= 0) l = l->next;
  return 0;
}
