// expect: verified
// checks: memsafety,asserts,ensures,garbage
#include <stdlib.h>
struct node { struct node *next; };
/*@ requires \list(next, l);
    ensures  \list(next, \result);
@*/
struct node *swap_first(struct node *l)
{
  struct node *s;
  if (l == NULL || l->next == NULL) return l;
  s = l->next;
  l->next = s->next;
  s->next = l;
  return s;
}
