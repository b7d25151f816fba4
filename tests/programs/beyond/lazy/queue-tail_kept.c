// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

struct T { int v; struct T *next; };
struct T *head, *tail;
void put(int v) { struct T *t = malloc(sizeof *t); t->v = v; t->next = NULL; if (tail) tail->next = t; else head = t; tail = t; }
int get(void) { struct T *t = head; int v = t->v; head = t->next; if (!head) {}; free(t); return v; }
int main() {
  head = tail = NULL;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) put(3);
    else if (head) { if (get() != 3) reach_error(); }
  }
  while (head) get();
  return 0;
}
