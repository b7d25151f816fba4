// RUN: verify --svcomp valid-memsafety --data-model ILP32 --timeout 60 %s
// EXPECT: VERDICT: true

/* A list of lists with links both ways. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct inner { struct inner *next, *prev; };
struct outer { struct outer *next; struct inner *list; };

int main(void)
{
  struct outer *all = NULL;
  while (__VERIFIER_nondet_int()) {
    struct outer *o = malloc(sizeof *o);
    o->next = all;
    o->list = NULL;
    all = o;
    while (__VERIFIER_nondet_int()) {
      struct inner *i = malloc(sizeof *i);
      i->prev = NULL;
      i->next = o->list;
      if (o->list)
        o->list->prev = i;
      o->list = i;
    }
  }
  while (all) {
    struct outer *o = all;
    all = o->next;
    while (o->list) {
      struct inner *i = o->list;
      o->list = i->next;
      free(i);
    }
    free(o);
  }
  return 0;
}
