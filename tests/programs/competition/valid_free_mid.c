// valid-memsafety: false(valid-free)
#include <stdlib.h>
struct n { struct n *next; int a; };
struct n g;
int main() { struct n *p = &g; p->next = 0; if (p->next == 0) free(p); return 0; }
