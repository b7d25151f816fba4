// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
#define SWAP(a,b) do{int t_=a;a=b;b=t_;}while(0)
#define MAX(a,b) ((a)>(b)?(a):(b))
int main(void){int x=1,y=2; if(x<y) SWAP(x,y); else x=9; assert(x==2&&y==1); assert(MAX(x+1,y)==3); return 0;}
