// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: skip_insert: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct skip { struct skip *next, *up; };
/*@ predicate skip(struct skip *h) =
      \list(next, h) && \list(up, h) &&
      \forall struct skip *z, *w; z \in \cells(up, h, NULL) && w \in \cells(up, h, NULL) && z -up+-> w ==> z -next+-> w;
@*/
/*@ requires h != NULL && skip(h);
    ensures  skip(h);
@*/
void skip_insert(struct skip *h)
{
  struct skip *p = h, *x = h, *t;
  while (p->up != NULL && __VERIFIER_nondet_int()) p = p->up;
  x = p;
  while (x->next != p->up && __VERIFIER_nondet_int()) x = x->next;
  t = malloc(sizeof *t);
  t->next = x->next;
  x->next = t;
  if (__VERIFIER_nondet_int()) {
    t->up = p->up;
    p->up = t;
  } else {
    t->up = NULL;
  }
}
