// RUN: verify --quiet --timeout 60 %s
// EXPECT: main: verified
// RUN: verify --quiet --timeout 60 -DBUG %s
// EXPECT: main: violated
// STATUS: 1

#include <stdio.h>
#define N 8
struct slot { int used; int key; };
static struct slot tab[N];
static int put(int k) {
  unsigned h = (unsigned)k % N;
  for (int i = 0; i < N; i++) {
#ifdef BUG
    struct slot *s = &tab[h + i];
#else
    struct slot *s = &tab[(h + i) % N];
#endif
    if (!s->used) { s->used = 1; s->key = k; return 1; }
    if (s->key == k) return 1;
  }
  return 0;
}
int main(void) {
  int k;
  while (scanf("%d", &k) == 1) if (!put(k)) break;
  return 0;
}
