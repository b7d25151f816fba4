// RUN: verify --check memsafety,ensures %s
// EXPECT: push: violated
// STATUS: 1
// RUN: verify %s
// EXPECT: push: violated
// STATUS: 1
#include <stdlib.h>
struct node { int data; struct node *next; };
/*@ requires \list(next, l); ensures \list(next, \result); @*/
struct node *push(struct node *l, int ok)
{
  struct node *e = malloc(sizeof *e);
  if (!ok) goto ERROR;
  e->next = l;
  return e;
ERROR:
  free(e);
  e->data = 1;          /* use after free */
  return e;             /* and not a list */
}
