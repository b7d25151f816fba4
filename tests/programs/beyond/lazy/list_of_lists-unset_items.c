// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct item { int v; struct item *next; };
struct list { struct item *items; struct list *next; };

int main(void)
{
  struct list *all = NULL, *l;
  struct item *i;
  while (__VERIFIER_nondet_int()) {
    l = malloc(sizeof(struct list));
    l->next = all;
    all = l;
  }
  l = all;
  while (l != NULL) {
    i = l->items;
    while (i != NULL) {
      if (i->v != 4) reach_error();
      i = i->next;
    }
    l = l->next;
  }
  return 0;
}
