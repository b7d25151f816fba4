// RUN: verify --timeout 120 --svcomp unreach-call %s
// EXPECT: VERDICT: unknown(
// STATUS: 2
void reach_error(void);
int main() { const char *s = "abc", *t = "abc"; if (s != t) reach_error(); return 0; }
