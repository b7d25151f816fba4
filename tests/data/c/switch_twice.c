// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// EXPECT: error[redefinition]
// STATUS: 65
int main(void) { unsigned x = 3; switch (x) { case -1: return 1; case 4294967295: return 2; } return 0; }
