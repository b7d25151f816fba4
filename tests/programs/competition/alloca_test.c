// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: unknown(
// STATUS: 2
#include <alloca.h>
struct node { struct node *next; };
int main() { struct node *l = 0, *n; int k = 0; while (k < 2 && (n = alloca(sizeof *n))) { n->next = l; l = n; k++; } return l->next->next == 0; }
