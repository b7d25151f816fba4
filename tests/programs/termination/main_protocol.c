// RUN: verify --svcomp termination %s
// EXPECT: VERDICT: false(termination)
// REFUSE: VERDICT: true
// STATUS: 1
// Every way through the loop comes back to a state that another way has left there before: that is an endless run.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
  int state = 0;
  while (__VERIFIER_nondet_int()) {
    switch (state) {
    case 0: state = 1; break;
    case 1: state = 2; break;
    default: state = 0;
    }
  }
  return 0;
}
