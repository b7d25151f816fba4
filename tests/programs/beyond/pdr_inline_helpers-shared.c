// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

static struct node *push(struct node *h, int k)
{
  struct node *e = malloc(sizeof(struct node));
  e->d = k;
  e->next = h;
  return e;
}

static void drop(struct node *h)
{
  while (h != NULL) {
    struct node *t = h->next;
    free(h);
    h = t;
  }
}

int main(void)
{
  struct node *a = NULL, *b = NULL;
  int i = 0;
  while (i < 10) {
    a = push(a, i);
    if (__VERIFIER_nondet_int())
      b = push(a, i);
    i = i + 1;
  }
  drop(a);
  drop(b);
  return 0;
}
