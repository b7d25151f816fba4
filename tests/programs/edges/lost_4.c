// RUN: verify --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-memtrack)
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct n {struct n *next;};
int main(void){ struct n *p = NULL; while (1) { p = malloc(sizeof *p); p->next = NULL; } }
