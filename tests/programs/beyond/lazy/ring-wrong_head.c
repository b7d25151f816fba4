// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

struct N { struct N *next; int d; };
int main() {
  struct N *h = malloc(sizeof *h), *y, *z;
  h->next = h; h->d = 1;
  while (__VERIFIER_nondet_int()) {
    z = malloc(sizeof *z);
    z->d = 2; z->next = h->next; h->next = z;
  }
  y = h->next;
  while (y != h) { if (y->d != 2) reach_error(); z = y->next; free(y); y = z; }
  if (h->d != 2) reach_error();
  free(h);
  
  return 0;
}
