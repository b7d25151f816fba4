// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
#include <assert.h>
struct node { int key; };
extern void *malloc(unsigned long);
static int n; void free(void *p) { n++; }
int main(void) { struct node *a = malloc(sizeof *a); a->key = 3; free(a); a->key = 4; free(a); assert(n == 1); return 0; }
