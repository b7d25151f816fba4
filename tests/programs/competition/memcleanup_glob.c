// valid-memcleanup: false(valid-memcleanup)
#include <stdlib.h>
struct n { struct n *next; int a; } *g;
int main() { g = malloc(sizeof(*g)); g->next = NULL; return 0; }
