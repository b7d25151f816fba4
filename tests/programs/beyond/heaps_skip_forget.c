// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: skip_forget: verified
/* The upper level of a skip list is forgotten, cell by cell. No predicates are given. */
struct s { struct s *n, *f; int v; };
/*@ requires (\forall struct s *u; \list(n, u)) && (\forall struct s *u; u != NULL ==> u->n -n*-> u->f);
    ensures \forall struct s *u; u \in \cells(n, h, NULL) ==> u->f == NULL;
    ensures \cells(n, h, NULL) == \old(\cells(n, h, NULL));
@*/
void skip_forget(struct s *h)
{
  struct s *p = h;
  while (p != 0) {
    struct s *q = p->n;
    p->f = 0;
    p = q;
  }
}
