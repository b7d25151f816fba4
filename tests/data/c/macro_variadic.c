// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <assert.h>
#define COUNT(args...) (sizeof((int[]){ args }) / sizeof(int))
#define SECOND(a, b, ...) b
#define OPTIONAL(a, ...) SECOND(a, ## __VA_ARGS__, 7)
#define STRING(...) #__VA_ARGS__
int main(void) {
  assert((COUNT(1, 2, 3) == 3));
  assert(OPTIONAL(1) == 7 && OPTIONAL(1, 2) == 2 && sizeof STRING(a ,  b) == 6);
  return 0;
}
