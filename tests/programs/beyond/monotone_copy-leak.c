// RUN: verify --engine monotone --check memsafety,asserts,ensures,leaks --timeout 120 %s
// EXPECT: copy: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct list { struct list *next; };
/*@ requires \list(next, l); ensures \list(next, \result) && \list(next, l); @*/
struct list *copy(struct list *l)
{
  struct list *r = NULL, *t;
  while (l != NULL) { t = malloc(sizeof *t); t->next = NULL; r = t; l = l->next; }
  return r;
}
