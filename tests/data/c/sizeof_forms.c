// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <assert.h>
struct s { char text[5]; union { int i; char c[12]; } u; short *p; };
static int f(int a[10], char b) { return (int)(sizeof a + sizeof b); }
int main(void) {
  int a[7] = { 0 }, i = 0;
  char c = 'x';
  struct s *p = 0;
  assert(sizeof "abc" == 4 && sizeof("a" "bc") == 4 && sizeof "a\0b" == 4 && sizeof("\u00e9") == 3);
  assert(sizeof __func__ == 5 && sizeof(__FUNCTION__) == 5);
  assert(sizeof a == 28 && sizeof(a) == 28 && sizeof &a == 8 && sizeof *a == 4 && sizeof(a + 0) == 8);
  assert(sizeof(0, a) == 8 && sizeof(1 ? a : a) == 8 && sizeof(*&a) == 28 && sizeof(a[0]) == 4);
  assert((sizeof (int[]){ 1, 2, [5] = 3 } == 24) && (sizeof (char[]){ "abcd" } == 5));
  assert(sizeof p->text == 5 && sizeof(p->u) == 12 && sizeof p->u.c == 12 && sizeof(struct s) == 32);
  assert(sizeof p->p == 8 && sizeof *p->p == 2 && sizeof &p->text == 8 && sizeof p->text[1] == 1);
  assert(sizeof(c + c) == 4 && sizeof(c++) == 1 && sizeof(c = 3) == 1 && sizeof 'c' == 4 && c == 'x');
  assert(sizeof(i += 1) == 4 && i == 0 && sizeof(i << 1L) == 4 && sizeof(1L << i) == 8 && sizeof !p == 4);
  assert(sizeof(f(a, c)) == 4 && f(a, c) == 9 && sizeof(__typeof__(a)) == 28);
  assert(_Alignof(struct s) == 8 && _Alignof(char[9]) == 1 && sizeof(p - p) == 8);
  return 0;
}
