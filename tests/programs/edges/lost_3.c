// RUN: verify --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-memtrack)
// STATUS: 1
#include <stdlib.h>
struct n {struct n *next;};
static void f(void) { struct n *p = malloc(sizeof *p); p->next = NULL; }
int main(void){ f(); while (1) ; }
