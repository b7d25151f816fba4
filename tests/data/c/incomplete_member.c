// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// EXPECT: error[incomplete-type]
// REFUSE: : verified (
// STATUS: 65
// nothing is verified
struct s;
struct t { struct s x; };
int main(void) { struct t x; return 0; }
