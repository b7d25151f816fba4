// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);
typedef struct T { struct T* next;
  struct T* prev;
  int data;
  } T;
int main(){ T*x=malloc(sizeof(T));
  x->next=0;
  x->prev=0;
  T*y=x;
  while(__VERIFIER_nondet_int()){ y->next=malloc(sizeof(T));
  y->next->prev=x;
  y=y->next;
  y->next=0;} y=x;
  while(y->next){ if(y->next->prev!=y) reach_error();
  y=y->next;} while(y){ x=y->prev;
  free(y);
  y=x;} return 0;}
