// RUN: verify --quiet %s
// EXPECT: :push: verified
// EXPECT: :beyond: violated
// EXPECT: :bucket: verified
// EXPECT: :any_bucket: violated
// EXPECT: :level: verified
// EXPECT: :level_too_small: violated
// EXPECT: :sum: verified
// EXPECT: :count: verified
// EXPECT: :first: violated
// EXPECT: :initial: verified
// EXPECT: :after_name: violated
// EXPECT: :mark: verified
// STATUS: 1

#include <stddef.h>
#define N 4
struct ring { int data[N]; int head, count; };
/*@ requires \valid(r) && 0 <= r->head && r->head < N && 0 <= r->count && r->count <= N;
    ensures \result == 0 || \result == 1;
    ensures r->count <= N; @*/
int push(struct ring *r, int v) {
  if (r->count == N) return 0;
  r->data[(r->head + r->count) % N] = v;
  r->count++;
  return 1;
}
/*@ requires \valid(r) && 0 <= r->head && r->head < N && 0 <= r->count && r->count <= N; @*/
int beyond(struct ring *r, int v) {
  r->data[r->head + r->count] = v;
  return 1;
}
struct entry { int key; struct entry *next; };
struct table { struct entry *buckets[4]; };
/*@ requires \valid(t); @*/
int bucket(struct table *t, unsigned h) { return t->buckets[h % 4] == NULL; }
/*@ requires \valid(t); @*/
int any_bucket(struct table *t, unsigned h) { return t->buckets[h]->key; }
struct flags { unsigned dirty : 1; unsigned level : 3; struct flags *next; };
/*@ requires \valid(f); ensures \result >= 0 && \result <= 7; @*/
int level(struct flags *f) { f->dirty = 1; f->level++; return f->level; }
/*@ requires \valid(f); ensures \result <= 6; @*/
int level_too_small(struct flags *f) { return f->level; }
struct point { double x, y; struct point *next; };
/*@ requires \list(next, p); @*/
double sum(struct point *p) { double s = 0; while (p) { s += p->x; p = p->next; } return s; }
/*@ requires \list(next, p); @*/
int count(struct point *p) { int n = 0; while (p) { if (p->x > 0.5) n++; p = p->next; } return n; }
/*@ requires \list(next, p); @*/
double first(struct point *p) { return p->x; }
struct person { char name[32]; int age; struct person *next; };
/*@ requires \valid(p); @*/
int initial(struct person *p) { return p->name[0]; }
/*@ requires \valid(p); @*/
int after_name(struct person *p) { return p->name[32]; }
/*@ requires \list(next, p); @*/
int mark(struct person *p, int age) { int n = 0; while (p) { if (p->age > age) { n++; p->name[0] = '!'; } p = p->next; } return n; }
