// RUN: verify --timeout 120 --svcomp unreach-call %s
// EXPECT: VERDICT: true
#include <stdlib.h>
extern int __VERIFIER_nondet_int();
void reach_error() {}
void __VERIFIER_assert(int c) { if (!c) { reach_error(); abort(); } }
#define WHITE 0
#define BLUE 1
struct TList { int colour; struct TList *next; };
int main() {
  struct TList null; null.next = NULL; null.colour = WHITE;
  struct TList *list, *end;
  list = &null;
  while (__VERIFIER_nondet_int()) { end = malloc(sizeof(*end)); end->next = list; end->colour = WHITE; list = end; }
  end = malloc(sizeof(*end)); end->next = list; end->colour = BLUE; list = end;
  while (__VERIFIER_nondet_int()) { end = malloc(sizeof(*end)); end->next = list; end->colour = WHITE; list = end; }
  end = list;
  while (end->colour == WHITE && end != &null) end = end->next;
  __VERIFIER_assert(end != &null);
  __VERIFIER_assert(end->colour == BLUE);
  while (list != &null) { end = list; list = list->next; free(end); }
  return 0;
}
