// RUN: verify --engine monotone --check memsafety,asserts,ensures,leaks --timeout 120 %s
// EXPECT: rev: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct list { struct list *next; };
/*@ requires \list(next, l); ensures \list(next, \result); @*/
struct list *rev(struct list *l)
{
  struct list *r = NULL, *t;
  while (l != NULL) { t = l->next; l->next = r; r = l; l = t; }
  return r;
}
