// RUN: verify --check memsafety,asserts %s
// EXPECT: :main: violated
// STATUS: 1

#include <stdlib.h>
#define SLIST_HEAD(name, type) struct name { struct type *slh_first; }
#define SLIST_ENTRY(type) struct { struct type *sle_next; }
#define SLIST_INIT(head) do { (head)->slh_first = NULL; } while (0)
#define SLIST_INSERT_HEAD(head, elm, field) do { (elm)->field.sle_next = (head)->slh_first; (head)->slh_first = (elm); } while (0)
#define SLIST_FOREACH(var, head, field) for ((var) = (head)->slh_first; (var); (var) = (var)->field.sle_next)
#define SLIST_REMOVE_HEAD(head, field) do { (head)->slh_first = (head)->slh_first->field.sle_next; } while (0)
#define STAILQ_HEAD(name, type) struct name { struct type *stqh_first; struct type **stqh_last; }
#define STAILQ_ENTRY(type) struct { struct type *stqe_next; }
#define STAILQ_INIT(head) do { (head)->stqh_first = NULL; (head)->stqh_last = &(head)->stqh_first; } while (0)
#define STAILQ_INSERT_TAIL(head, elm, field) do { (elm)->field.stqe_next = NULL; *(head)->stqh_last = (elm); (head)->stqh_last = &(elm)->field.stqe_next; } while (0)
struct e { int v; SLIST_ENTRY(e) l; STAILQ_ENTRY(e) q; };
SLIST_HEAD(sh, e); STAILQ_HEAD(qh, e);
int main(void) {
  struct sh s; struct qh q; struct e *p; int i, sum = 0;
  SLIST_INIT(&s); STAILQ_INIT(&q);
  for (i = 0; i < 3; i++) { p = malloc(sizeof *p); p->v = i; SLIST_INSERT_HEAD(&s, p, l); STAILQ_INSERT_TAIL(&q, p, q); }
  for (p = q.stqh_first; p; p = p->q.stqe_next) sum = 10 * sum + p->v;
  while (s.slh_first) { p = s.slh_first; free(p); SLIST_REMOVE_HEAD(&s, l); }
  return sum == 12 ? 0 : *(int *)0;
}
