// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: true
#include <stdlib.h>
struct part { int v; };
struct whole { int k; struct part in; };
struct part *kept;
int main() { struct whole *w = malloc(sizeof *w); kept = &w->in; kept->v = 1; return 0; }
