// RUN: verify --quiet --check memsafety,asserts,leaks %s
// EXPECT: main: verified (paths

// How long a formatted number gets is known exactly.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
static int show(char *to, size_t room, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  int length = vsnprintf(to, room, format, list);
  va_end(list);
  return length;
}
int main(void)
{
  char number[12], text[8];
  int n = __VERIFIER_nondet_int();
  int length = sprintf(number, "%d", n);
  assert(length == (int)strlen(number));
  assert(n < 0 || number[0] != '-');
  assert(show(text, sizeof text, "%s=%03d;", "abc", 7) == 8 && strcmp(text, "abc=007") == 0);
  assert(snprintf(NULL, 0, "%c%5s|%-3u|%x", 'a', "bc", 4u, 255u) == 13);
  return 0;
}
