// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: array_reverse: verified
/* Reverse an array of integers in place. */
#include <stdlib.h>

/*@ requires n >= 0 && \valid(a + (0..n-1));
    ensures  \forall int k; 0 <= k && k < n ==> a[k] == \old(a[n - 1 - k]);
@*/
void array_reverse(int a[], int n)
{
  int i = 0, j = n - 1, t;
  /*@ track 0 <= i && i <= j + 2;
      track i + j == n - 1;
      track \forall int k; 0 <= k && k < i ==> a[k] == \old(a[n - 1 - k]);
      track \forall int k; j < k && k < n ==> a[k] == \old(a[n - 1 - k]);
      track \forall int k; i <= k && k <= j ==> a[k] == \old(a[k]);
  @*/
  while (i < j) {
    t = a[i];
    a[i] = a[j];
    a[j] = t;
    i = i + 1;
    j = j - 1;
  }
}
