// RUN: verify --quiet --check memsafety,asserts,leaks %s
// EXPECT: main: violated (paths
// STATUS: 1

#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  char text[] = "12, 0x1f;z", *end;
  long sum = 0;
  int words = 0;
  assert(strpbrk(text, ";,") == text + 2 && strpbrk(text, "?") == NULL);
  for (char *word = strtok(text, ", ;"); word != NULL; word = strtok(NULL, ", ;")) {
    sum += strtol(word, &end, 0);
    words++;
  }
  assert(words == 3 && sum == 43 && *end == 0);
  char digit[3] = { (char)('0' + (__VERIFIER_nondet_int() != 0)), '7', '\0' };
  assert(atoi(digit) >= -1 || digit[0] >= '0');
  return 0;
}
