// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: delete: verified
/* Levels are said by single links. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct skip { struct skip *next, *up; };
/*@ predicate skip(struct skip *h) =
      \list(next, h) && \list(up, h) &&
      \forall struct skip *z; z \in \cells(up, h, NULL) && z->up != NULL ==> z -next+-> z->up;
@*/
/*@ requires h != NULL && skip(h);
    ensures  skip(h);
@*/
void delete(struct skip *h)
{
  struct skip *p = h, *x, *n;
  while (p->up != NULL && __VERIFIER_nondet_int()) p = p->up;
  x = p;
  while (x->next != p->up && __VERIFIER_nondet_int()) x = x->next;
  n = x->next;
  if (n != NULL) {
    if (n == p->up) p->up = n->up;
    x->next = n->next;
    free(n);
  }
}
