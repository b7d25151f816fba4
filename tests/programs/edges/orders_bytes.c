// RUN: verify --quiet --svcomp unreach-call %s
// EXPECT: VERDICT: unknown(
// STATUS: 2

// The call writes a byte of what the other operand reads: in one order the error is reached.
extern void __VERIFIER_error(void);
static int change(char *c) { c[1] = 7; return 1; }
int main(void)
{
  int x = 0;
  char *c = (char *)&x;
  int r = x + change(c);
  if (r != 1) __VERIFIER_error();
  return r;
}
