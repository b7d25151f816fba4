// RUN: verify --engine vc --timeout 120 %s
// EXPECT: enqueue: verified
#include <stdlib.h>
struct item { void *data; struct item *next; };
struct item *head, *tail;

/*@ requires head == NULL ==> tail == NULL;
    requires head != NULL ==> head -next*-> tail && tail != NULL && tail->next == NULL;
    ensures  head -next*-> tail && tail != NULL && tail->next == NULL && tail->data == data;
    ensures  \fresh(tail); @*/
void enqueue(void *data)
{
  struct item *i = malloc(sizeof *i);
  i->data = data;
  i->next = NULL;
  if (tail != NULL) tail->next = i; else head = i;
  tail = i;
}
