// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: count: verified
// All items of a list of lists are counted; the inner lists need no shape for that.
struct item { struct item *next; int value; };
struct group { struct group *next; struct item *items; };

/*@ ensures \result >= 0; @*/
int count(struct group *g)
{
  int n = 0;
  for (; g; g = g->next)
    for (struct item *i = g->items; i; i = i->next) n++;
  return n;
}
