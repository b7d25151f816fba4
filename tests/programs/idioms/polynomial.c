// RUN: verify --quiet --timeout 60 %s
// EXPECT: main: verified
// RUN: verify --quiet --timeout 60 -DBUG %s
// EXPECT: main: violated
// STATUS: 1

#include <stdio.h>
#include <stdlib.h>
#include <math.h>
struct term { double coef; int exp; struct term *next; };
static double eval(const struct term *p, double x) { double s = 0; for (; p; p = p->next) s += p->coef * pow(x, p->exp); return s; }
int main(void) {
  struct term *p = NULL, **tail = &p; double c; int e;
  while (scanf("%lf %d", &c, &e) == 2) {
    struct term *t = malloc(sizeof *t);
    if (!t) return 1;
    t->coef = c; t->exp = e; t->next = NULL; *tail = t; tail = &t->next;
  }
  printf("%g\n", eval(p, 2.0));
#ifdef BUG
  printf("%g\n", p->coef);
#endif
  while (p) { struct term *n = p->next; free(p); p = n; }
  return 0;
}
