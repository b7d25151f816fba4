// RUN: verify --check overflow %s
// EXPECT: :sum: verified
// RUN: verify --check overflow --data-model ILP32 %s
// EXPECT: :sum: violated
// STATUS: 1
/*@ requires \true; @*/
long sum(int a, int b) { return (long)a + b; }
