// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: arr_max: verified
/* The largest of the cells that an array holds. No predicates are given. */
struct p { int b; int a; };
/*@ requires \valid(v + (0..n-1)) && 0 < n && (\forall int k; 0 <= k && k < n ==> \valid(v[k]));
    ensures \forall int k; 0 <= k && k < n ==> v[k]->a <= \result;
@*/
int arr_max(struct p *v[], int n)
{
  int i, m = v[0]->a;
  for (i = 1; i < n; i++)
    if (v[i]->a > m) m = v[i]->a;
  return m;
}
