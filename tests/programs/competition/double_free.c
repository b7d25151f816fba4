// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-free)
// STATUS: 1
#include <stdlib.h>
struct n { struct n *next; int a; };
int main() { struct n *p = malloc(sizeof(*p)); p->next = p; struct n *q = p->next; free(q); free(p); return 0; }
