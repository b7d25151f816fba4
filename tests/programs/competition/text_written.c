// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-deref)
// STATUS: 1
int main() { char *s = "abc"; *s = 'x'; return 0; }
