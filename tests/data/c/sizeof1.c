// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
int main(void){int i=0; int s=sizeof(i++); assert(i==0&&s==4); assert(sizeof(long)==8); assert(sizeof(Node)==24); char c[10]; assert(sizeof c==10); assert(sizeof(c)/sizeof(c[0])==10); return 0;}
