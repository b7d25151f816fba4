// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: find_last: violated
// STATUS: 1
/* One cell too early. */
#include <stdlib.h>
struct node { int d; struct node *next; };
/*@ requires \list(next, h) && \stable(next, h) && h != NULL;
 ensures \result != NULL && \result->next == NULL && h -next*-> \result; @*/
struct node *find_last(struct node *h) { while (h->next != NULL && h->next->next != NULL) h = h->next; return h; }
