// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: skip_forget: violated
// STATUS: 1
/* The walk follows the upper level itself. */
struct s { struct s *n, *f; int v; };
/*@ requires (\forall struct s *u; \list(n, u)) && (\forall struct s *u; u != NULL ==> u->n -n*-> u->f);
    ensures \forall struct s *u; u \in \cells(n, h, NULL) ==> u->f == NULL;
    ensures \cells(n, h, NULL) == \old(\cells(n, h, NULL));
@*/
void skip_forget(struct s *h)
{
  struct s *p = h;
  while (p != 0) {
    struct s *q = p->f;
    p->f = 0;
    p = q;
  }
}
