// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { struct node *next; int d; };

int main(void)
{
  int i, k = __VERIFIER_nondet_int();
  struct node *h = NULL;
  if (k < 0)
    return 0;
  for (i = 0; i < k; i++) {
    struct node *e = malloc(sizeof(struct node));
    e->next = h;
    e->d = i - 1;
    h = e;
  }
  if (i != k)
    reach_error();
  while (h != NULL) {
    if (h->d < 0)
      reach_error();
    h = h->next;
  }
  return 0;
}
