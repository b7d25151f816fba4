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
#include <stdarg.h>
int sum(int n,...){va_list a; va_start(a,n); int s=va_arg(a,int); va_end(a); return s;} int main(void){assert(sum(1,2)==3); return 0;}
