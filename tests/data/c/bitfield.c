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
struct b{unsigned x:2; unsigned y:3;}; int main(void){struct b v; v.x=3; v.x=v.x+1; assert(v.x==4); return 0;}
