// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: init_down: verified
/* The cells of an array are cleared from the end. */
#include <stdlib.h>
struct pt { int x, y; };
/*@ requires 0 <= n && \valid(a + (0..n-1)) && (\forall int k; 0 <= k && k < n ==> a[k] != NULL && \valid(a[k]));
 ensures \forall int k; 0 <= k && k < n ==> a[k]->x == 0; @*/
void init_down(struct pt *a[], int n) { int i = n; while (i > 0) { i = i - 1; a[i]->x = 0; } }
