// RUN: verify --quiet --check memsafety,asserts,leaks %s
// EXPECT: main: violated (paths
// STATUS: 1

// What `exit` calls frees the cell a second time.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int *kept;
static void release(void) { free(kept); }
int main(void)
{
  kept = malloc(sizeof *kept);
  if (!kept)
    return 1;
  atexit(release);
  if (__VERIFIER_nondet_int()) {
    free(kept);
    exit(2);
  }
  return 0;
}
