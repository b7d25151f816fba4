// RUN: verify --quiet --timeout 60 %s
// EXPECT: main: verified
// RUN: verify --quiet --timeout 60 -DBUG %s
// EXPECT: main: violated
// STATUS: 1

#include <stdlib.h>
#include <stdio.h>
struct point { double x, y; struct point *next; };
int main(void) {
  struct point *h = NULL; double x, y, sx = 0;
  while (scanf("%lf %lf", &x, &y) == 2) {
    struct point *p = malloc(sizeof *p);
    if (!p) break;
    p->x = x; p->y = y; p->next = h; h = p;
  }
  int n = 0;
  for (struct point *p = h; p; p = p->next) { sx += p->x; n++; }
  if (n) printf("%f\n", sx / n);
  while (h) {
    struct point *q = h->next;
    if (h->x > 0.0) printf("%f\n", h->y);
    free(h);
#ifdef BUG
    q = h->next;
#endif
    h = q;
  }
  return 0;
}
