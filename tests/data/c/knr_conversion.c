// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// STATUS: 2
// No prototype converts the argument: what the function receives is anybody's guess.
int f(a) long a; { return a == 1; }
int main(void) { return f(1); }
