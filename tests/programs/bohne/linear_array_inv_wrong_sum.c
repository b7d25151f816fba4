// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: linear_array_inv: violated
// STATUS: 1
/* Row Linear.arrayInv. Fill the cells an array points to so that x + y is the same in all of them.
   The cells need not be distinct: a cell met twice ends with the values of its last index.
   Engine: heaps. Expected: not verified. The loop carries no invariant on purpose. */
#include <stdlib.h>

struct pt { int x, y; };

/*@ requires num > 0 && \valid(nodes + (0..num-1));
    requires \forall int k; 0 <= k && k < num ==> nodes[k] != NULL && \valid(nodes[k]);
    ensures  \forall int k; 0 <= k && k < num ==> nodes[k]->x + nodes[k]->y == num;
@*/
void linear_array_inv(struct pt *nodes[], int num)
{
  int i = 0;
  /* all supplied by hand in the paper; the second is the singleton of the term nodes[i] */
  /*@ track 0 <= i && i <= num;
      track (struct pt *v) v == nodes[i];
      track (struct pt *v) \exists int j; 0 <= j && j < num && nodes[j] == v;
      track (struct pt *v) \exists int j; 0 <= j && j < i && nodes[j] == v;
      track (struct pt *v) v->x + v->y == num;
  @*/
  while (i < num) {
    nodes[i]->x = i;
    nodes[i]->y = num - i + 1;
    i = i + 1;
  }
}
