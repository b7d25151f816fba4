// RUN: verify --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-deref)
// STATUS: 1
// RUN: verify --svcomp unreach-call %s
// EXPECT: VERDICT: false(unreach-call)
// STATUS: 1
#include <stdlib.h>
struct n {struct n *next;};
extern int __VERIFIER_nondet_int(void);
int main(void){
  struct n *p = malloc(sizeof *p);
  p->next = NULL;
  if (__VERIFIER_nondet_int()) goto ERROR;
  free(p);
  return 0;
ERROR:
  free(p);
  p->next = NULL;   /* use after free */
  return 1;
}
