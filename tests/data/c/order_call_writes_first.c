// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <assert.h>
#include <stdlib.h>
struct node { int key; };
static int fill(struct node *n) { n->key = 1; return 2; }
int main(void) { struct node *p = malloc(sizeof *p); p->key = fill(p); assert(p->key == 2); return 0; }
