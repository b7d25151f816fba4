// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: f: verified
/* A path from the root is freed: every word of left and right has to be excluded. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int
struct tree { struct tree *left, *right; };
/*@ requires \tree(left, right, t); ensures \true; @*/
void f(struct tree *t){ struct tree *x; while(t){ x = nondet() ? t->left : t->right; free(t); t=x; } }
