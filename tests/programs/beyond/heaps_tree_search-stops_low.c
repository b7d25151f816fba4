// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: search: violated
// STATUS: 1
/* The search stops at a larger key. */
struct t { struct t *l, *r, *p; int k; };
/*@ predicate tr() =
      (\forall struct t *u; \list(p, u)) &&
      (\forall struct t *u; u != NULL && u->l != NULL ==> u->l->p == u) &&
      (\forall struct t *u; u != NULL && u->r != NULL ==> u->r->p == u);
@*/
/*@ requires tr() && (\forall struct t *u; u -p*-> x ==> u == NULL || \valid(u));
    ensures \result != NULL ==> \result->k == k;
@*/
struct t *search(struct t *x, int k)
{
  while (x != 0 && x->k < k) {
    if (k < x->k)
      x = x->l;
    else
      x = x->r;
  }
  return x;
}
