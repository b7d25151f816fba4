// valid-memsafety: false(valid-free)
#include <stdlib.h>
struct part { int v; };
struct whole { struct part in; int k; };
int main() { struct whole *w = malloc(sizeof *w); struct part *p = &w->in; p->v = 1; free(p); free(w); return 0; }
