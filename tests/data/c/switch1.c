// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
int f(int x){int r=0; switch(x){case 1: r+=1; case 2: r+=2; break; case 3: r=9; default: r+=100;} return r;} int main(void){assert(f(1)==3); assert(f(2)==2); assert(f(3)==109); assert(f(7)==100); return 0;}
