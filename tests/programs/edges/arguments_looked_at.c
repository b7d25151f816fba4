// RUN: verify --quiet --check memsafety,asserts,leaks %s
// EXPECT: main: verified (paths

// The first characters of two arguments are looked at, and what stands behind the last one is null.
#include <assert.h>
#include <stddef.h>
int main(int argc, char **argv)
{
  int flags = 0;
  if (argc < 2 || argc > 3)
    return 1;
  for (int i = 1; i < argc; i++)
    if (argv[i][0] == '-' && argv[i][1] == 'v' && argv[i][2] == '\0')
      flags++;
  assert(argv[argc] == NULL && flags < argc);
  return 0;
}
