// RUN: verify --timeout 120 --svcomp unreach-call %s
// EXPECT: VERDICT: true
void reach_error(void);
int main() { const char *s = "abc", *t = ""; if (*s != 'a' || *t) reach_error(); return 0; }
