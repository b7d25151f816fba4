// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
int main(void){int x=-1; unsigned char c=x; assert(c==255); int y=(unsigned char)x; assert(y==255); unsigned u=x; assert(u>0); return 0;}
