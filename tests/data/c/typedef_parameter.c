// RUN: verify --timeout 10 %s
// EXPECT: f: verified
// EXPECT: g: verified
// EXPECT: h: verified
typedef struct list { int v; struct list *next; } list;
/*@ predicate first(list *list) = list->v == 3; @*/
/*@ requires (list) != NULL && (list->next == NULL) && first(list); ensures \result == 3; @*/
int f(list *list) { return list->v; }
int g(list *list)
/*@ requires (list) != NULL; ensures \result == (list->v); @*/
{ return (list)->v; }
/*@ logic list *node; requires (list) != NULL && list->next == node;
    ensures \forall list *q; q == list ==> q->next == node; @*/
int h(list *list) { return list->v; }
