// valid-memsafety: false(valid-deref)
#include <stdlib.h>
struct n { struct n *next; int a; };
int main() { struct n *p = malloc(sizeof(*p)); struct n *q = p->next; q->a = 1; return 0; }
