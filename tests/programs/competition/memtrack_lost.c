// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-memtrack)
// STATUS: 1
#include <stdlib.h>
struct n { struct n *next; int a; };
int main() { struct n *p = malloc(sizeof(*p)); p->next = NULL; p = malloc(sizeof(*p)); free(p); return 0; }
