// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: rotate: verified
/* An array is rotated by one place. */
#include <stdlib.h>
/*@ requires n >= 1 && \valid(a + (0..n-1));
 ensures a[n-1] == \old(a[0]) && \forall int k; 0 <= k && k < n-1 ==> a[k] == \old(a[k+1]); @*/
void rotate(int a[], int n) { int i; int t = a[0]; for (i = 0; i < n - 1; i++) a[i] = a[i+1]; a[n-1] = t; }
