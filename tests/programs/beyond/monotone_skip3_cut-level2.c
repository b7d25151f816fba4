// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: skip_insert: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct skip { struct skip *next, *up, *top; };
/*@ predicate skip3(struct skip *h) =
      \list(next, h) && \list(up, h) && \list(top, h) &&
      (\forall struct skip *z, *w; z \in \cells(up, h, NULL) && w \in \cells(up, h, NULL) && z -up+-> w ==> z -next+-> w) &&
      (\forall struct skip *z, *w; z \in \cells(top, h, NULL) && w \in \cells(top, h, NULL) && z -top+-> w ==> z -up+-> w);
@*/
/*@ requires h != NULL && skip3(h);
    ensures  skip3(h);
@*/
void skip_insert(struct skip *h)
{
  struct skip *q = h;
  while (q->up != NULL && __VERIFIER_nondet_int()) q = q->up;
  q->up = NULL;
}
