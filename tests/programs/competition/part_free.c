// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-free)
// STATUS: 1
#include <stdlib.h>
struct part { int v; };
struct whole { int k; struct part in; };
int main() { struct whole *w = malloc(sizeof *w); struct part *p = &w->in; p->v = 1; free(p); return 0; }
