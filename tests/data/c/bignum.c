// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// EXPECT: error[syntax]
// STATUS: 65
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
int main(void){int x=99999999999999999999999999999; assert(x==1); return 0;}
