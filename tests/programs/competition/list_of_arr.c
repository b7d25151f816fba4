// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: true
#include <stdlib.h>
struct n { struct n *next; };
struct n *tab[4];
int main() {
  for (int i = 0; i < 4; i++) { tab[i] = malloc(sizeof(struct n)); tab[i]->next = 0; }
  for (int i = 0; i < 4; i++) { free(tab[i]); tab[i] = 0; }
  return 0;
}
