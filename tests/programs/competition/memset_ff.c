// RUN: verify --timeout 120 --svcomp unreach-call %s
// EXPECT: VERDICT: true
#include <string.h>
void reach_error(void) {}
struct s { int a; unsigned b; char c; };
int main() {
  struct s x;
  memset(&x, 0xff, sizeof x);
  if (x.a != -1) reach_error();
  int arr[4];
  memset(arr, 0, sizeof arr);
  if (arr[3]) reach_error();
  return 0;
}
