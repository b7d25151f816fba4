// valid-memcleanup: false(valid-memcleanup)
#include <stdlib.h>
struct n { struct n *next; } first, *table[2];
int main() { first.next = malloc(sizeof(struct n)); first.next->next = NULL; return 0; }
