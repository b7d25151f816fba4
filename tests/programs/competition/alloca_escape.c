// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-deref)
// STATUS: 1
#include <stdlib.h>
extern void *alloca(size_t);
struct node { struct node *next; int v; };
struct node *f(void) { struct node *p = alloca(sizeof *p); p->v = 1; p->next = 0; return p; }
int main() { struct node *p = f(); return p->v; }
