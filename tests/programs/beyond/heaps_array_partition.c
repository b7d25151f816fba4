// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: partition: verified
/* An array is partitioned around a value in place. */
#include <stdlib.h>
/*@ requires n >= 0 && \valid(a + (0..n-1));
 ensures 0 <= \result && \result <= n && (\forall int k; 0 <= k && k < \result ==> a[k] < p) && (\forall int k; \result <= k && k < n ==> a[k] >= p); @*/
int partition(int a[], int n, int p) { int i, j = 0; for (i = 0; i < n; i++) { if (a[i] < p) { int t = a[i]; a[i] = a[j]; a[j] = t; j = j + 1; } } return j; }
