// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
void set(Node**pp,Node*v){*pp=v;} int main(void){Node*a=0; Node n; n.data=5; set(&a,&n); assert(a->data==5); return 0;}
