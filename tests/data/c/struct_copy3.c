// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
int main(void){Node*p=malloc(sizeof *p); p->data=4;p->next=0;p->prev=0; Node a=*p; p->data=7; assert(a.data==4); *p=a; assert(p->data==4); free(p); return 0;}
