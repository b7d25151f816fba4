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
struct other{struct node*next;int data;}; int main(void){Node *p=malloc(sizeof(Node)); p->data=3;p->next=0; struct other*o=(struct other*)p; assert(o->data==3); return 0;}
