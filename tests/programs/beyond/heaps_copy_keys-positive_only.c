// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: copy_keys: violated
// STATUS: 1
/* Cells with other keys are left alone. */
struct c { int key; struct c *nx; int old; };
/*@ requires \list(nx, l) && \stable(nx, l);
    ensures \forall struct c *u; u \in \cells(nx, l, \null) ==> u->old == u->key;
    ensures \list(nx, l);
@*/
void copy_keys(struct c *l)
{
  struct c *p;
  for (p = l; p != 0; p = p->nx)
    if (p->key > 0) p->old = p->key;
}
