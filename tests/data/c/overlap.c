// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
struct s{struct in{int a;int b;} i; int c;}; int main(void){struct s x; x.i.a=1;x.i.b=2;x.c=3; struct in*p=&x.i; p->b=9; assert(x.i.b==9&&x.c==3); return 0;}
