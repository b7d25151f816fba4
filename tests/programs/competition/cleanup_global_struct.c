// RUN: verify --timeout 120 --svcomp valid-memcleanup %s
// EXPECT: VERDICT: false(valid-memcleanup)
// STATUS: 1
#include <stdlib.h>
struct n { struct n *next; } first, *table[2];
int main() { first.next = malloc(sizeof(struct n)); first.next->next = NULL; return 0; }
