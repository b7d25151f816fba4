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
void push(List*l,int d){ List t=malloc(sizeof *t);
  t->h=d;
  t->n=*l;
  *l=t;} int main(){ List l=0;
  push(&l,1);
  push(&l,2);
  while(__VERIFIER_nondet_int()) push(&l,2);
  int s=0;
  List p=l;
  while(p){ if(p->h<1||p->h>1) reach_error();
  p=p->n;} return 0;}
