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
union u{int i; Node *p;}; int main(void){union u x; x.p=malloc(sizeof(Node)); x.i=0; assert(x.p==0); return 0;}
