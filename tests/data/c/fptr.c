// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
int f(int x){return x+1;} int g(int x){return x+2;} int main(void){int(*p)(int)=f; if(__VERIFIER_nondet_int()) p=g; assert(p(1)==2); return 0;}
