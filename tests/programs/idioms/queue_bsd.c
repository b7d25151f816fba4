// RUN: verify --quiet --svcomp valid-memsafety %s
// EXPECT: VERDICT: true
// RUN: verify --quiet --svcomp valid-memsafety -DBUG %s
// EXPECT: VERDICT: false(valid-deref)
// STATUS: 1

#include <stdlib.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/queue.h>
struct job { uint32_t id; SLIST_ENTRY(job) link; };
SLIST_HEAD(jobs, job);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  struct jobs all = SLIST_HEAD_INITIALIZER(all);
  struct job *j;
  uint32_t n = 0;
  while (__VERIFIER_nondet_int()) {
    j = malloc(sizeof *j);
    if (!j) break;
    j->id = n++;
    SLIST_INSERT_HEAD(&all, j, link);
  }
  SLIST_FOREACH(j, &all, link) printf("%" PRIu32 "\n", j->id);
  while (!SLIST_EMPTY(&all)) {
    j = SLIST_FIRST(&all);
#ifdef BUG
    free(j);
#endif
    SLIST_REMOVE_HEAD(&all, link);
#ifndef BUG
    free(j);
#endif
  }
  return 0;
}
