// RUN: verify --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-memtrack)
// STATUS: 1
#include <stdlib.h>
struct n {struct n *next;};
int main(void){ struct n *p = malloc(sizeof *p); p = malloc(sizeof *p); abort(); }
