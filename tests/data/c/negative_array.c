// RUN: verify --timeout 10 %s
// EXPECT: main: verified
// EXPECT: error[wrong-type]
// STATUS: 65
int a[-1];
int main(void) { return 0; }
