// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
typedef struct node { int data; struct node *next; struct node *prev; } Node, *List;
int main(void){int s=0; for(int i=0;i<5;i++){if(i==2) continue; s+=i;} assert(s==8); int k=0; do{k++; if(k==2) continue;}while(k<3); assert(k==3); return 0;}
