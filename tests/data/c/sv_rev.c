// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void);
typedef struct node { int h;
  struct node *n;
  } *List;
int main(){ List x=0,y=0,t;
  while(__VERIFIER_nondet_int()){ t=malloc(sizeof *t);
  t->h=1;
  t->n=x;
  x=t;} while(x){ t=x->n;
  x->n=y;
  y=x;
  x=t;} while(y){ if(y->h!=1) reach_error();
  t=y;
  y=y->n;
  free(t);} return 0;}
