// valid-memsafety: false(valid-free)
#include <stdlib.h>
int main() { char *s = "abc"; free(s); return 0; }
