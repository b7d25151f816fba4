// RUN: verify --engine vc --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
/* Nothing says that the index is not negative; the constants of the initialiser are no candidates for it. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int a[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
  int i = __VERIFIER_nondet_int();
  if (i < 8) a[i] = 0;
  return 0;
}
