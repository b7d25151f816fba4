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
struct o{int a,b;}; int main(void){void*v=malloc(sizeof(Node)); struct o*p=v; p->a=1; Node*q=v; assert(q->data==0); return 0;}
