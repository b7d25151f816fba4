// RUN: verify --engine lazy --check memsafety,asserts,leaks --timeout 120 %s
// EXPECT: main: verified
// Deletion through a pointer to the link that leads to the cell: first the variable, then fields.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

struct node { int odd; struct node *next; };

int main(void) {
  struct node *list = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->odd = __VERIFIER_nondet_int() ? 1 : 0;
    n->next = list;
    list = n;
  }
  struct node **link = &list;
  while (*link) {
    struct node *n = *link;
    if (n->odd) {
      *link = n->next;
      free(n);
    } else {
      link = &n->next;
    }
  }
  while (list) {
    struct node *n = list;
    if (n->odd) reach_error();
    list = n->next;
    free(n);
  }
  return 0;
}
