// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: count: violated
// STATUS: 1
// The count begins below zero.
struct item { struct item *next; int value; };
struct group { struct group *next; struct item *items; };

/*@ ensures \result >= 0; @*/
int count(struct group *g)
{
  int n = -1;
  for (; g; g = g->next)
    for (struct item *i = g->items; i; i = i->next) n++;
  return n;
}
