// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-free)
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int v; };
int main() { struct node n, *p = &n; n.v = 1; n.next = 0; p = realloc(p, sizeof *p); return 0; }
