// RUN: verify --timeout 120 --svcomp valid-memcleanup %s
// EXPECT: VERDICT: false(valid-memcleanup)
// STATUS: 1
#include <stdlib.h>
struct n { struct n *next; int a; } *g;
int main() { g = malloc(sizeof(*g)); g->next = NULL; return 0; }
