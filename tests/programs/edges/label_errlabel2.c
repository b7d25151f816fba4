// RUN: verify --svcomp unreach-call %s
// EXPECT: VERDICT: true
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
int main(void){int x=__VERIFIER_nondet_int(); if(x!=x) goto ERROR; return 0; ERROR: return 1;}
