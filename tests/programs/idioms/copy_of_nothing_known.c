// RUN: verify --quiet --engine lazy %s
// REFUSE: main: verified
// REFUSE: main: violated
// STATUS: 2
// RUN: verify --quiet %s
// EXPECT: main: violated
// STATUS: 1

// How much is copied to where has no model in cells; nothing must be concluded from what was there before.
#include <string.h>
extern void __VERIFIER_error(void);
struct s { int a; struct s *n; };
static void copy(void *to, const void *from, size_t n) { memcpy(to, from, n); }
int main(void)
{
  struct s x = { 1, 0 }, y = { 2, 0 };
  copy(&x, &y, sizeof x);
  if (x.a == 2) __VERIFIER_error();
  return 0;
}
