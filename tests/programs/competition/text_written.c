// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: unknown(
// STATUS: 2
int main() { char *s = "abc"; *s = 'x'; return 0; }
