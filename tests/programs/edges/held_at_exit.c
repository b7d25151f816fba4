// RUN: verify --svcomp valid-memsafety %s
// EXPECT: VERDICT: true
// RUN: verify --svcomp valid-memcleanup %s
// EXPECT: VERDICT: false(valid-memcleanup)
// STATUS: 1
#include <stdlib.h>
struct n {struct n *next;};
static void f(void) { struct n *p = malloc(sizeof *p); p->next = NULL; exit(0); }
int main(void){ f(); return 0; }
