// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: rev: verified
/* An array reversed in place, without given predicates: what two indices count is in step. */
/*@ requires n >= 0 && \valid(a + (0..n-1));
    ensures \forall int i; 0 <= i && i < n ==> a[i] == \old(a[n - 1 - i]); @*/
void rev(int a[], int n)
{
  int i = 0, j = n - 1;
  while (i < j) { int t = a[i]; a[i] = a[j]; a[j] = t; i++; j--; }
}
