// RUN: verify --quiet --check memsafety,asserts,leaks %s
// EXPECT: main: violated (paths
// STATUS: 1

// The test comes one argument too late.
int main(int argc, char **argv)
{
  int dashes = 0;
  for (int i = 1; i <= argc; i++)
    dashes += argv[i][0] == '-';
  return dashes;
}
