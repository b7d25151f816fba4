// RUN: verify --engine vc --timeout 120 %s
// EXPECT: clear_logs: violated
// EXPECT: rem_channel: verified
// STATUS: 1
#include <stdlib.h>
struct name { int c; };
struct chanlog { int c; };
struct entry { struct name *channel_name, *filename, *name, *topic; struct chanlog *log; int type; };
struct node { struct node *next, *prev; struct entry *data; };

struct node *log_head, *log_tail, *chan_head, *chan_tail;

/*@ predicate dlist(struct node *h, struct node *t) =
      h->prev == NULL && t->next == NULL && \list(next, h) &&
      (\forall struct node *u; \btwn(next, h, u, NULL) ==> \btwn(prev, t, u, NULL)) &&
      (\forall struct node *u; \btwn(prev, t, u, NULL) ==> \btwn(next, h, u, NULL)) &&
      (\forall struct node *u; u \in \cells(next, h, NULL) ==> u == h || u->prev->next == u) &&
      (\forall struct node *u; u \in \cells(prev, t, NULL) ==> u == t || u->next->prev == u);
    predicate logs(struct node *h) =
      \forall struct node *u; u \in \cells(next, h, NULL) ==>
        \valid(u) && \valid(u->data) && u->data->type == 1 &&
        \valid(u->data->channel_name) && \valid(u->data->filename);
    predicate channels(struct node *h) =
      \forall struct node *u; u \in \cells(next, h, NULL) ==>
        \valid(u) && \valid(u->data) && u->data->type == 2 &&
        \valid(u->data->name) && \valid(u->data->topic) &&
        (u->data->log == NULL || \valid(u->data->log));
    predicate unaliased(struct node *h) =
      \forall struct node *u; u \in \cells(next, h, NULL) ==>
        (\forall struct node *x; x->data == u->data ==> x == u);
    predicate types(struct node *any) =
      (\forall struct entry *o; o->type == 1 ==>
        (\forall struct entry *x; x->channel_name == o->channel_name ==> x == o) &&
        (\forall struct entry *x; x->filename == o->channel_name ==> \false) &&
        (\forall struct entry *x; x->name == o->channel_name ==> \false) &&
        (\forall struct entry *x; x->topic == o->channel_name ==> \false)) &&
      (\forall struct entry *o; o->type == 1 ==>
        (\forall struct entry *x; x->filename == o->filename ==> x == o) &&
        (\forall struct entry *x; x->channel_name == o->filename ==> \false) &&
        (\forall struct entry *x; x->name == o->filename ==> \false) &&
        (\forall struct entry *x; x->topic == o->filename ==> \false)) &&
      (\forall struct entry *o; o->type == 2 ==>
        (\forall struct entry *x; x->name == o->name ==> x == o) &&
        (\forall struct entry *x; x->topic == o->name ==> \false)) &&
      (\forall struct entry *o; o->type == 2 ==> (\forall struct entry *x; x->topic == o->topic ==> x == o)) &&
      (\forall struct entry *o; o->type == 2 ==>
        o->log == NULL || (\forall struct entry *x; x->log == o->log ==> x == o));
    predicate all(struct node *lh, struct node *lt, struct node *ch, struct node *ct) =
      dlist(lh, lt) && dlist(ch, ct) && logs(lh) && channels(ch) && unaliased(lh) && unaliased(ch) && types(lh);
@*/

/*@ requires all(log_head, log_tail, chan_head, chan_tail);
    ensures  all(log_head, log_tail, chan_head, chan_tail);
    ensures  log_head == NULL;
@*/
void clear_logs(void)
{
  struct node *ptr = log_head;
  /*@ loop invariant all(log_head, log_tail, chan_head, chan_tail);
      loop invariant ptr == log_head;
  @*/
  while (ptr != NULL) {
    struct node *next_ptr = ptr->next;
    struct entry *logptr = ptr->data;
    free(logptr->channel_name);
    free(logptr->channel_name);
    free(logptr);
    struct node *a = ptr->next;
    struct node *b = ptr->prev;
    if (a != NULL) a->prev = b; else log_tail = b;
    if (b != NULL) b->next = a; else log_head = a;
    free(ptr);
    ptr = next_ptr;
  }
}

/*@ requires all(log_head, log_tail, chan_head, chan_tail);
    requires \valid(chptr) && chptr->type == 2;
    requires chptr->log == NULL || \valid(chptr->log);
    ensures  dlist(log_head, log_tail) && dlist(chan_head, chan_tail);
    ensures  logs(log_head);
    ensures  \result != 0 ==> channels(chan_head);
    ensures  unaliased(log_head) && unaliased(chan_head) && types(log_head);
@*/
int rem_channel(struct entry *chptr)
{
  struct node *ptr = chan_head;
  if (chptr->log != NULL) free(chptr->log);
  /*@ loop invariant \btwn(next, chan_head, ptr, NULL); @*/
  while (ptr != NULL && ptr->data != chptr)
    ptr = ptr->next;
  if (ptr == NULL) return 0;
  struct node *a = ptr->next;
  struct node *b = ptr->prev;
  if (a != NULL) a->prev = b; else chan_tail = b;
  if (b != NULL) b->next = a; else chan_head = a;
  free(ptr);
  free(chptr->name);
  free(chptr->topic);
  free(chptr);
  return 1;
}
