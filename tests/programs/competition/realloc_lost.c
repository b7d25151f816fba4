// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-memtrack)
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int v; };
int main() { struct node *p = malloc(sizeof *p), *q; p->v = 1; p->next = 0; q = realloc(p, sizeof *p); q = 0; return 0; }
