// RUN: verify --timeout 120 --svcomp valid-memcleanup %s
// EXPECT: VERDICT: false(valid-memcleanup)
// STATUS: 1
#include <stdlib.h>
struct part { int v; };
struct whole { int k; struct part in; };
struct part *kept;
int main() { struct whole *w = malloc(sizeof *w); kept = &w->in; kept->v = 1; return 0; }
