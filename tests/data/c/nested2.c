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
struct in{int x; Node*l;}; struct out{struct in i; struct in j;}; int main(void){struct out o; o.i.x=1; o.j.x=2; struct in*p=&o.j; p->x=3; assert(o.j.x==2); return 0;}
