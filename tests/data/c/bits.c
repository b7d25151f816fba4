// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
int main(void){int x=6; assert((x&3)==2&&(x|1)==7&&(x^x)==0&&~x==-7&&(x<<2)==24&&(x>>1)==3&&(-5>>1)==-3); return 0;}
