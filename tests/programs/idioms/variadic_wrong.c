// RUN: verify --check memsafety,asserts,leaks --timeout 60 %s
// EXPECT: main: violated
// EXPECT: there is no further argument
// STATUS: 1

/* Arguments that no parameter stands for. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
static int sum(int count, ...)
{
  va_list list;
  int total = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++)
    total += va_arg(list, int);
  va_end(list);
  return total;
}

static void say(const char *format, ...)
{
  va_list list;
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
}

int main(void)
{
  int total = sum(4, 20, 2, 20);
  say("%s: %d\n", "total", total);
  assert(total == 42);
  return 0;
}
