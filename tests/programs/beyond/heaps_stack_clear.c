// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: sclear: verified
/* A list that starts in a record is cleared. */
#include <stdlib.h>
struct cell { int v; struct cell *next; }; struct stack { struct cell *top; };
/*@ requires \valid(s) && \list(next, s->top) && \stable(next, s->top);
 ensures \forall struct cell *u; u \in \cells(next, s->top, NULL) ==> u->v == 0; @*/
void sclear(struct stack *s) { struct cell *p = s->top; while (p != NULL) { p->v = 0; p = p->next; } }
