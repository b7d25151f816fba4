// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: true
#include <stdlib.h>
struct part { int v; };
struct whole { struct part in; int k; };
int main() { struct whole *w = malloc(sizeof *w); struct part *p = &w->in; p->v = 1; free(p); return 0; }
