// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void);
typedef struct node { int h;
  struct node *n;
  } *List;
int main(){ List h=0,t;
  while(__VERIFIER_nondet_int()){ t=malloc(sizeof *t);
  t->n=h;
  t->h=0;
  h=t;} while(h){t=h->n;
  free(h);
  h=t;} return 0;}
