// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
int main(void){Node*h=0; Node**t=&h; for(int i=0;i<3;i++){Node*n=malloc(sizeof *n); n->data=i;n->next=0; *t=n; t=&n->next;} assert(h->next->next->data==2); return 0;}
