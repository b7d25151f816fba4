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
struct f{int n; int a[3];}; int main(void){struct f*p=malloc(sizeof *p); p->a[2]=1; assert(p->a[2]==1); p->a[3]=1; return 0;}
