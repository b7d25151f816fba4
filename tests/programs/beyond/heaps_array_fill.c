// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: fill: verified
/* All elements of an array become one pointer. */
#include <stdlib.h>
struct pt { int x, y; };
/*@ requires 0 <= n && \valid(a + (0..n-1)) && p != NULL;
 ensures \forall int k; 0 <= k && k < n ==> a[k] == p; @*/
void fill(struct pt *a[], int n, struct pt *p) { int i; for (i = 0; i < n; i++) a[i] = p; }
