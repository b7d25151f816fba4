// RUN: verify --svcomp unreach-call %s
// EXPECT: VERDICT: true
// RUN: verify --check asserts %s
// EXPECT: a volatile object is not modelled
// STATUS: 2

/* In the competition nobody but the program writes to its objects. */
extern void reach_error(void);
int main(void)
{
  volatile int x = 1;
  if (x != 1)
    reach_error();
  return 0;
}
