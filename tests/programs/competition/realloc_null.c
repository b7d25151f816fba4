// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: true
#include <stdlib.h>
struct node { struct node *next; int v; };
int main() { struct node *p = NULL; p = realloc(p, sizeof *p); p->v = 1; free(p); return 0; }
