// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-memtrack)
// STATUS: 1
#include <stdlib.h>
struct n { struct n *next; };
struct pair { struct n *a; int k; struct n in; };
struct pair mk(void) { struct pair p; p.a = malloc(sizeof(struct n)); p.a->next = 0; p.k = 1; struct n *q = &p.in; q->next = 0; return p; }
int main() { mk(); return 0; }
