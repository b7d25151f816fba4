// RUN: verify --svcomp unreach-call %s
// EXPECT: VERDICT: false(unreach-call)
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void);
typedef struct node { int h;
  struct node *n;
  } *List;
int main(){ int flag=__VERIFIER_nondet_int();
  List p,a,t;
  a=(List)malloc(sizeof(struct node));
  if(a==0)exit(1);
  p=a;
 while(__VERIFIER_nondet_int()){ if(flag){p->h=1;}else{p->h=2;} t=(List)malloc(sizeof(struct node));
  if(t==0)exit(1);
  p->n=t;
  p=p->n;}
 p->h=3;
  p->n=0;
  p=a;
  if(!flag) while(p->h==1) p=p->n;
  else while(p->h==2) p=p->n;
  if(p->h!=3){ERROR:{reach_error();abort();}} return 0;}
