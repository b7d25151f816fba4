// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
int c=0; int f(void){c++; return 0;} int main(void){int r=0&&f(); assert(c==0); r=1||f(); assert(c==0&&r==1); r=f()||f(); assert(c==2&&r==0); return 0;}
