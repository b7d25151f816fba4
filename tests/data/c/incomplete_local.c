// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// EXPECT: error[incomplete-type]
// REFUSE: : verified (
// STATUS: 65
// nothing is verified
struct s;
int main(void) { static struct s x; return 0; }
