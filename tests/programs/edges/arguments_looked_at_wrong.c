// RUN: verify --quiet --check memsafety,asserts,leaks %s
// EXPECT: main: violated (paths
// STATUS: 1

// An argument may be empty: then nothing stands behind its end.
int main(int argc, char **argv)
{
  if (argc < 2)
    return 1;
  return argv[1][1] == 'v';
}
