// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: copy_keys: verified
/* One field of every cell becomes what another one is. No predicates are given. */
struct c { int key; struct c *nx; int old; };
/*@ requires \list(nx, l) && \stable(nx, l);
    ensures \forall struct c *u; u \in \cells(nx, l, \null) ==> u->old == u->key;
    ensures \list(nx, l);
@*/
void copy_keys(struct c *l)
{
  struct c *p;
  for (p = l; p != 0; p = p->nx)
    p->old = p->key;
}
