// RUN: infer --timeout 60 %s
// EXPECT: always_null: fails whenever it is called
// EXPECT: null dereference
// EXPECT: twice: fails whenever it is called
// EXPECT: no contract:
// STATUS: 1
// RUN: infer --report --timeout 60 %s
// EXPECT: always_null: never safe: 
// EXPECT: 4 functions: 1 safe from any caller, 0 under a condition, 2 never safe, 1 unknown
// STATUS: 1
#include <stdlib.h>
struct node { int data; struct node *next; };

int always_null(int k)
{
  struct node *p = NULL;
  return p->data + k;
}

void twice(int k)
{
  struct node *p = malloc(sizeof *p);
  p->data = k;
  free(p);
  free(p);
}

int fine(int k) { return k; }

/* Floating-point numbers have no model. */
long unmodelled(struct node *p) { return (long)p; }
