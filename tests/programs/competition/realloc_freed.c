// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-free)
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int v; };
int main() { struct node *p = malloc(sizeof *p); p->v = 1; p->next = 0; free(p); p = realloc(p, sizeof *p); return 0; }
