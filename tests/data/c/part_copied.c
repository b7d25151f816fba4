// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct link { struct link *next; };
struct item { int value; struct link link; };
struct pair { struct item a, b; };
int main(void) {
  struct item x = {1}, y;
  x.link.next = &x.link;
  y = x;
  assert(y.value == 1 && y.link.next == &x.link && &y.link != &x.link);
  y.link.next = &y.link;
  assert(x.link.next == &x.link);
  struct pair p;
  p.a = x;
  p.b = y;
  struct item *q = &p.b;
  q->link.next->next = 0;
  assert(y.link.next == 0 && p.b.link.next == &y.link);
  struct link *in = &p.a.link;
  in->next = 0;
  assert(p.a.link.next == 0 && x.link.next == &x.link);
  return 0;
}
