// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-deref)
// STATUS: 1
#include <stdlib.h>
struct n { struct n *next; int a; };
int main() { struct n *p = malloc(sizeof(*p)); struct n *q = p->next; q->a = 1; return 0; }
