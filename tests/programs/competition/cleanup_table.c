// RUN: verify --timeout 120 --svcomp valid-memcleanup %s
// EXPECT: VERDICT: false(valid-memcleanup)
// STATUS: 1
#include <stdlib.h>
struct n { struct n *next; } *table[2];
int main() { table[1] = malloc(sizeof(struct n)); table[1]->next = NULL; return 0; }
