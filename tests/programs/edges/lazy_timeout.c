// RUN: verify --svcomp unreach-call %s
// EXPECT: VERDICT: true
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);
#define FUEL
struct in { int a; unsigned char b; };
struct o { int k; struct in p; struct in q; struct o *nx; };
struct o g1; int gi;
int main(void) { struct o v, w; struct o *x = &v, *y = &w; int i = 1, j = 2; unsigned char c = 3; v.k = 1; v.p.a = 2; v.p.b = 3; v.q.a = 4; v.q.b = 5; w.k = 6; w.p.a = 7; w.p.b = 8; w.q.a = 9; w.q.b = 10; v.nx = &w; w.nx = &g1; g1.nx = &v; 
c = i;
if (w.q.a >= 3) { i = 256;
w.p.b = (255 - i);
} x = &v;
y->nx->p = g1.q;
gi = 2;
y = malloc(sizeof(struct o));
y->k = 256;
y->p.a = 1;
y->p.b = 2;
y->q = v.q;
y->nx = &w;
w.q.a = y->q.b;
if (!(v.nx != &g1)) reach_error();
return 0; }
