// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
int x=1; int main(void){assert(x==1); int x=2; {int x=3; assert(x==3);} assert(x==2); for(int x=7;x<8;x++) assert(x==7); assert(x==2); return 0;}
