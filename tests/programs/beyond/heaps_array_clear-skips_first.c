// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: array_clear: violated
// STATUS: 1
/* The first one is skipped. */
#include <stdlib.h>
struct pt { int x, y; };
/*@ requires 0 <= n && \valid(a + (0..n-1)) && (\forall int k; 0 <= k && k < n ==> a[k] != NULL && \valid(a[k]));
 ensures \forall int k; 0 <= k && k < n ==> a[k]->x == 0; @*/
void array_clear(struct pt *a[], int n) { int i = 0; while (i < n) { i = i + 1; if (i < n) a[i]->x = 0; } }
