// RUN: verify %s
// EXPECT: :drop: unknown
// EXPECT: :own: verified
// STATUS: 2

// What a caller's `void *` leads to may be the struct itself.
#include <stdlib.h>
struct s { void *p; int x; };
/*@ requires \valid(s); */
int drop(struct s *s) { free(s->p); return s->x; }
/*@ ensures \result == 0; */
int own(void) { void *p = malloc(16); free(p); return 0; }
