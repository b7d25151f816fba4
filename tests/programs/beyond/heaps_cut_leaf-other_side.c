// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: cut_leaf: violated
// STATUS: 1
/* The link on the other side is cut. */
struct t { struct t *l, *r, *p; int k; };
/*@ predicate tr() =
      (\forall struct t *u; \list(p, u)) &&
      (\forall struct t *u; u != NULL && u->l != NULL ==> u->l->p == u) &&
      (\forall struct t *u; u != NULL && u->r != NULL ==> u->r->p == u) &&
      (\forall struct t *u; u != NULL && u->p != NULL ==> u->p->l == u || u->p->r == u) &&
      (\forall struct t *u; u != NULL && u->l != NULL ==> u->l != u->r);
@*/
/*@ requires tr() && x != NULL && x->l == NULL && x->r == NULL && x->p != NULL;
    ensures tr() && x->p == NULL;
@*/
void cut_leaf(struct t *x)
{
  if (x->p->l != x)
    x->p->l = 0;
  else
    x->p->r = 0;
  x->p = 0;
}
