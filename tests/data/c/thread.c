// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// STATUS: 2
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
#include <pthread.h>
int g; void*f(void*a){g=1;return 0;} int main(void){pthread_t t; pthread_create(&t,0,f,0); assert(g==0); return 0;}
