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
int odd(int);int even(int n){return n==0?1:odd(n-1);} int odd(int n){return n==0?0:even(n-1);} int main(void){assert(even(3)); return 0;}
