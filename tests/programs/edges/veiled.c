// RUN: verify %s
// EXPECT: :release: verified
// EXPECT: :release_twice: violated
// EXPECT: :release_later: violated
// EXPECT: :first: unknown
// EXPECT: :shown: unknown
// STATUS: 1
//
// What a member leads to that nobody looks into is an object of which nothing but its life is known. Where it is looked
// into (`first`), or the library does (`shown`), there is no model.
#include <stdio.h>
#include <stdlib.h>

struct entry { char *label; struct entry *next; };

/*@ requires \valid(e); @*/
void release(struct entry *e) { free(e->label); e->label = NULL; free(e->label); }

/*@ requires \valid(e); @*/
void release_twice(struct entry *e) { free(e->label); free(e->label); }

/*@ requires \valid(a) && \valid(b) && a != b; @*/
void release_later(struct entry *a, struct entry *b) { free(a->label); free(b->label); }

/*@ requires \valid(e); @*/
int first(struct entry *e) { return e->label != NULL ? e->label[0] : 0; }

/*@ requires \valid(e); @*/
void shown(struct entry *e) { printf("%s", e->label); }
