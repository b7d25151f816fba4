// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
struct in{int x;}; struct out{struct in i; int y;}; int main(void){struct out o; o.i.x=1; o.y=2; struct out*q=(struct out*)&o.i; assert(q->y==2); return 0;}
