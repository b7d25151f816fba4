// RUN: verify --svcomp termination %s
// EXPECT: VERDICT: true
// STATUS: 0
// The same protocol, and a number of rounds after which nobody waits any more.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
  int state = 0, rounds = 0;
  while (__VERIFIER_nondet_int() && rounds < 5) {
    rounds++;
    switch (state) {
    case 0: state = 1; break;
    case 1: state = 2; break;
    default: state = 0;
    }
  }
  return 0;
}
