// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
enum c{RED,GREEN=5,BLUE}; int main(void){enum c x=BLUE; assert(x==6&&RED==0&&GREEN==5); return 0;}
