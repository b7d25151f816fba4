// RUN: verify --timeout 120 --svcomp unreach-call %s
// EXPECT: VERDICT: true
#include <stdlib.h>
void reach_error(void) {}
struct n { struct n *x; int id; };
struct n *get(void) { static struct n *pool; static int c = 0; struct n *r = malloc(sizeof *r); r->x = pool; r->id = c++; pool = r; return pool; }
int main() { get(); get(); struct n *p = get(); if (p->id != 2 || p->x->x->id != 0 || p->x->x->x) reach_error(); return 0; }
