// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// STATUS: 2
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
typedef long jb[8]; int setjmp(jb); void longjmp(jb,int); jb b; int main(void){int i=0; if(setjmp(b)==0){i=1; longjmp(b,1);} assert(i==0); return 0;}
