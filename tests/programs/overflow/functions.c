// RUN: verify --check overflow %s
// EXPECT: :next: verified
// EXPECT: :next_bad: violated
// EXPECT: :middle: verified
// EXPECT: :middle_bad: violated
// EXPECT: :twice: verified
// EXPECT: :twice_bad: violated
// EXPECT: :opposite: verified
// EXPECT: :opposite_bad: violated
// EXPECT: :quotient: verified
// EXPECT: :quotient_bad: violated
// EXPECT: :rest_bad: violated
// EXPECT: :shift: verified
// EXPECT: :shift_negative: violated
// EXPECT: :shift_far: violated
// EXPECT: :shift_out: violated
// EXPECT: :wraps: verified
// EXPECT: :narrow: verified
// EXPECT: :raise: verified
// EXPECT: :raise_bad: violated
// EXPECT: :count: verified
// EXPECT: :fill: verified
// STATUS: 1
// RUN: verify %s
// EXPECT: :next_bad: verified
// EXPECT: :opposite_bad: verified
// STATUS: 1
struct node { int data; struct node *next; };

/*@ requires a < 2147483647; @*/
int next(int a) { return a + 1; }
/*@ requires \true; @*/
int next_bad(int a) { return a + 1; }

/*@ requires 0 <= lo <= hi; @*/
int middle(int lo, int hi) { return lo + (hi - lo) / 2; }
/*@ requires 0 <= lo <= hi; @*/
int middle_bad(int lo, int hi) { return (lo + hi) / 2; }

/*@ requires -1000 <= a <= 1000; @*/
int twice(int a) { a *= 2000; return a; }
/*@ requires -1000 <= a; @*/
int twice_bad(int a) { a *= 2000; return a; }

/*@ requires a > -2147483647 - 1; @*/
int opposite(int a) { return -a; }
/*@ requires \true; @*/
int opposite_bad(int a) { return -a; }

/*@ requires b > 0; @*/
int quotient(int a, int b) { return a / b; }
/*@ requires b != 0; @*/
int quotient_bad(int a, int b) { return a / b; }
/*@ requires b != 0; @*/
int rest_bad(int a, int b) { return a % b; }

/*@ requires 0 <= a < 100; @*/
int shift(int a) { return a << 4; }
/*@ requires a < 100; @*/
int shift_negative(int a) { return a << 4; }
/*@ requires 0 <= n; @*/
int shift_far(int n) { return 1 << n; }
/*@ requires 0 <= a; @*/
int shift_out(int a) { return a << 1; }

/*@ requires \true; @*/
unsigned wraps(unsigned a, unsigned b) { return a * 3u + b - 7u; }
/*@ requires \true; @*/
int narrow(signed char a, short b) { a++; b += 1; return a * b; }

/*@ requires \list(next, l); @*/
void raise(struct node *l) { while (l) { if (l->data < 100) l->data++; l = l->next; } }
/*@ requires \list(next, l); @*/
void raise_bad(struct node *l) { while (l) { l->data++; l = l->next; } }

/*@ requires \true; @*/
int count(int n) { int last = 0; for (int i = 0; i < n; i++) last = i; return last; }
/*@ requires 0 <= n && \valid(a + (0..n-1)); @*/
void fill(int a[], int n) { for (int i = n - 1; i >= 0; i--) a[i] = i; }
