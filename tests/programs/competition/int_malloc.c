// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: true
#include <stdlib.h>
int *mk(void) { int *p = malloc(sizeof(int)); *p = 5; return p; }
int main() { int *p = mk(); int *q = malloc(4); *q = *p; free(p); free(q); return 0; }
