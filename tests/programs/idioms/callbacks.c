// RUN: verify --quiet --timeout 60 %s
// EXPECT: main: verified
// RUN: verify --quiet --timeout 60 -DBUG %s
// EXPECT: main: violated
// STATUS: 1

#include <stdlib.h>
#include <stdio.h>
struct node { int v; struct node *next; };
typedef void (*visit)(struct node *, void *);
static void each(struct node *h, visit f, void *arg) {
  while (h) { struct node *n = h->next; f(h, arg); h = n; }
}
static void sum(struct node *n, void *arg) { *(int *)arg += n->v; }
static void drop(struct node *n, void *arg) { (void)arg; free(n); }
int main(void) {
  struct node *h = NULL; int x, total = 0;
  while (scanf("%d", &x) == 1) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->v = x; n->next = h; h = n;
  }
  each(h, sum, &total);
  each(h, drop, NULL);
#ifdef BUG
  each(h, sum, &total);
#endif
  printf("%d\n", total);
  return 0;
}
