// RUN: infer --timeout 60 %s
// EXPECT: requires \valid(a + (0..n - 1));
// STATUS: 0
// PERSON fill: \valid(a + (0..n - 1))
// PERSON total: \valid(a + (0..n - 1))
// PERSON first: \valid(a)
// PERSON at: \valid(a + (i..i))
// PERSON ratio: b != 0
// PERSON max: \true

/* Indices and divisors. */
void fill(int *a, int n)
{
  for (int i = 0; i < n; i++) a[i] = 0;
}

int total(const int *a, int n)
{
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}

int first(int *a) { return a[0]; }

int at(int *a, int i) { return a[i]; }

int ratio(int a, int b) { return a / b; }

int max(int a, int b) { return a > b ? a : b; }
