// RUN: verify --quiet --timeout 60 %s
// EXPECT: main: verified
// RUN: verify --quiet --timeout 60 -DBUG %s
// EXPECT: main: violated
// STATUS: 1

#include <stdlib.h>
struct n { int v; struct n *x; };
struct n *cons(v, t) int v; struct n *t;
{ struct n *c = (struct n *)malloc(sizeof(struct n)); if (c == 0) exit(1); c->v = v; c->x = t; return c; }
extern int getchar();
int main()
{
  struct n *l = 0, *t;
  while (getchar() >= 0) l = cons(1, l);
  while (l) { t = l; l = l->x; free(t); }
#ifdef BUG
  return t->v;
#else
  return 0;
#endif
}
