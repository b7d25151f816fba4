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
int main() { List a=(List)malloc(sizeof(struct node));
  if(a==0) exit(1);
  List t;
  List p=a;
 while(__VERIFIER_nondet_int()) { p->h=1;
  t=(List)malloc(sizeof(struct node));
  if(t==0) exit(1);
  p->n=t;
  p=p->n;
  }
 p->h=2;
  p->n=0;
  p=a;
  while(p!=0){ if(p->h!=1){ ERROR: {reach_error();abort();} } p=p->n;
  } return 0;
  }
