// RUN: verify --quiet --check memsafety,leaks --timeout 60 -DBUG %s
// EXPECT: main: violated
// STATUS: 1

#include <stdlib.h>
#include <stdio.h>
struct vec { int *data; size_t len, cap; };
static int push(struct vec *v, int x) {
  if (v->len == v->cap) {
    size_t cap = v->cap ? v->cap * 2 : 4;
    int *d = realloc(v->data, cap * sizeof *d);
    if (!d) return -1;
    v->data = d; 
#ifndef BUG
    v->cap = cap;
#else
    v->cap = cap + 1;
#endif
  }
  v->data[v->len++] = x;
  return 0;
}
int main(void) {
  struct vec v = { NULL, 0, 0 };
  int x;
  while (v.len < 1000 && scanf("%d", &x) == 1) if (push(&v, x)) break;
  for (size_t i = 0; i < v.len; i++) printf("%d\n", v.data[i]);
  free(v.data);
  return 0;
}
