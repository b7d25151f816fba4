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
int g=0; int f(void){return ++g;} int main(void){int x=f()+f()*10; assert(x==21); return 0;}
