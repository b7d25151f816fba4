// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

int main(void)
{
  struct node *h = NULL;
  int state = 0;
  while (__VERIFIER_nondet_int()) {
    switch (state) {
    case 0:
      h = malloc(sizeof(struct node));
      h->next = NULL;
      state = 1;
      break;
    case 1:
      h->d = 3;
      state = 2;
      break;
    default:
      free(h);
      state = 1;
    }
  }
  return 0;
}
