// RUN: verify --quiet --check memsafety,leaks --timeout 60 -DBUG %s
// EXPECT: main: violated
// STATUS: 1

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct ln { char *s; struct ln *next; };
int main(void) {
  char *line = NULL; size_t cap = 0; ssize_t n; struct ln *h = NULL;
  while ((n = getline(&line, &cap, stdin)) != -1) {
    if (n > 0 && line[n - 1] == '\n') line[n - 1] = 0;
    struct ln *l = malloc(sizeof *l);
    if (!l) break;
    l->s = strdup(line); l->next = h; h = l;
  }
#ifndef BUG
  free(line);
#endif
  while (h) { struct ln *x = h->next; free(h->s); free(h); h = x; }
  return 0;
}
