// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void);
typedef struct node { int h;
  struct node *n;
  } *List;
int main(){ List h=0,p;
  int s=0;
  while(s!=2){ switch(s){ case 0: p=malloc(sizeof *p);
  p->n=h;
  p->h=5;
  h=p;
  if(__VERIFIER_nondet_int()) s=1;
  break;
  case 1: s=2;
  break;
  default: reach_error();
  } } while(h){ if(h->h!=5) reach_error();
  p=h;
  h=h->n;
  free(p);} return 0;}
