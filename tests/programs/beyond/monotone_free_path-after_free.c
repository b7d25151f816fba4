// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: f: violated
// STATUS: 1
/* The link is read from the freed cell. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int
struct tree { struct tree *left, *right; };
/*@ requires \tree(left, right, t); ensures \true; @*/
void f(struct tree *t){ struct tree *x; while(t){ x = nondet() ? t->left : t->right; free(t); t=t->left; } }
