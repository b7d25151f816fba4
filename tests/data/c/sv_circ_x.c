// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void);
typedef struct node { int h;
  struct node *n;
  } *List;
int main(){ List h=malloc(sizeof *h);
  h->n=h;
  h->h=0;
  List p;
  while(__VERIFIER_nondet_int()){ p=malloc(sizeof *p);
  p->h=1;
  p->n=h->n;
  h->n=p;} p=h->n;
  while(p!=h){ if(p->h!=0) reach_error();
  p=p->n;} return 0;}
