// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-free)
// STATUS: 1
#include <stdlib.h>
struct n { struct n *next; int a; };
struct n g;
int main() { struct n *p = &g; p->next = 0; if (p->next == 0) free(p); return 0; }
