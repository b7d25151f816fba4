// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
int main(void){int x=__VERIFIER_nondet_int(); int r=0; switch(x){ default: r=5; break; case -1: r=1; break; case 0x10: r=2;} if(x==16) assert(r==2); else if (x==-1) assert(r==1); else assert(r==5); return 0;}
