// RUN: verify --svcomp unreach-call %s
// EXPECT: VERDICT: true
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void);
typedef struct node { int h;
  struct node *n;
  } *List;
#define N 5
static List mk(int len,int v){ List h=0;
  for(int i=len-1;i>=0;i--){ List n=(List)malloc(sizeof(struct node));
  n->h=v;
  n->n=h;
  h=n;} return h;} int main(){ const int len=N;
  List l=mk(len,1);
  int c=0;
  for(List p=l;p;p=p->n){ if(p->h!=1) goto ERROR;
  c++;} if(c!=len||len/2!=2) goto ERROR;
  while(l){List t=l->n;
  free(l);
  l=t;} return 0;
  ERROR: reach_error();
  return 1;}
