// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: queue_with_tail: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

struct node *head, *tail;

/*@ requires \list(next, head);
    requires head == NULL ? tail == NULL : (head -next*-> tail && tail != NULL && tail->next == NULL);
    ensures \list(next, head);
    ensures head == NULL ? tail == NULL : (head -next*-> tail && tail != NULL && tail->next == NULL);
@*/
void queue_with_tail(int n)
{
  while (n > 0) {
    if (__VERIFIER_nondet_int()) {
      struct node *e = malloc(sizeof(struct node));
      e->d = n;
      e->next = NULL;
      if (tail == NULL)
        head = e;
      else
        tail->next = e;
      tail = e;
    } else if (head != NULL) {
      struct node *e = head;
      head = e->next;
      free(e);
    }
    n = n - 1;
  }
}
