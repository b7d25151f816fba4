// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
int main(void){List l=0; for(int i=0;i<3;i++){List n=(List)malloc(sizeof(*n)); n->data=i; n->next=l; n->prev=NULL; l=n;} int s=0; while(l){s+=l->data; List t=l; l=l->next; free(t);} assert(s==3); return 0;}
