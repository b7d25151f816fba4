// RUN: verify --quiet --svcomp valid-memsafety %s
// EXPECT: VERDICT: unknown(
// EXPECT: the result depends on the order in which C evaluates this expression
// STATUS: 2

// `box.at` leads to `box.n`: what is stored where depends on the order.
int main(void)
{
  struct { int n; int *at; } box = { 0, 0 };
  int other[2] = { 5, 6 };
  box.at = &box.n;
  int r = box.at[0] + other[box.n++];
  return r;
}
