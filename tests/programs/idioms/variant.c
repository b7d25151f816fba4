// RUN: verify --quiet --timeout 60 %s
// EXPECT: main: verified
// RUN: verify --quiet --timeout 60 -DBUG %s
// EXPECT: main: violated
// STATUS: 1

#include <stdlib.h>
#include <stdio.h>
enum kind { INT, DBL };
struct value { enum kind kind; union { int i; double d; } u; struct value *next; };
int main(void)
{
  struct value *head = NULL;
  int c;
  while ((c = getchar()) != EOF) {
    struct value *v = malloc(sizeof *v);
    if (!v) break;
    if (c == 'i') { v->kind = INT; v->u.i = c; }
    else { v->kind = DBL; v->u.d = 1.5; }
    v->next = head;
    head = v;
  }
#ifdef BUG
  printf("%d\n", head->kind);
#endif
  for (struct value *v = head; v; v = v->next)
    switch (v->kind) {
    case INT: printf("%d\n", v->u.i); break;
    case DBL: printf("%f\n", v->u.d); break;
    }
  while (head) { struct value *n = head->next; free(head); head = n; }
  return 0;
}
