// RUN: verify --quiet --check memsafety,leaks --timeout 60 -DBUG %s
// EXPECT: main: violated
// STATUS: 1

#include <stdlib.h>
#include <stdio.h>
struct opt { const char *name; struct opt *next; };
int main(int argc, char *argv[]) {
  struct opt *list = NULL;
#ifdef BUG
  for (int i = 1; i <= argc + 1; i++) {
#else
  for (int i = 1; i < argc; i++) {
#endif
    struct opt *o = malloc(sizeof *o);
    if (!o) return 1;
    o->name = argv[i]; o->next = list; list = o;
  }
  while (list) { struct opt *n = list->next; puts(list->name); free(list); list = n; }
  return 0;
}
