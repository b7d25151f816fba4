// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

int main(void)
{
  struct node *s = NULL;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      struct node *e = malloc(sizeof(struct node));
      e->next = s;
      s = e;
    } else if (s != NULL) {
      struct node *e = s;
      s = s->next;
      free(e);
    }
  }
  while (s != NULL) {
    struct node *e = s->next;
    free(s);
    s = e;
  }
  return 0;
}
