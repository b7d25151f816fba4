// RUN: verify --quiet --check memsafety,asserts,leaks %s
// EXPECT: main: verified (paths

// The last one registered is called first, by `exit` as by the end of `main`.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int *kept, calls;
static void release(void) { assert(calls == 1); free(kept); kept = NULL; }
static void note(void) { assert(kept != NULL); calls++; }
int main(void)
{
  kept = malloc(sizeof *kept);
  if (!kept)
    return 1;
  atexit(release);
  atexit(note);
  if (__VERIFIER_nondet_int())
    exit(2);
  return 0;
}
