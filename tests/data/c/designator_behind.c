// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
int a[] = { [2] = 1 };
int main(void) { return a[3]; }
