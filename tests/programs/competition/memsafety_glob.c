// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: true
#include <stdlib.h>
struct n { struct n *next; int a; } *g;
int main() { g = malloc(sizeof(*g)); g->next = NULL; return 0; }
