// RUN: verify %s
// EXPECT: :apply: unknown
// STATUS: 2

/*@ ensures \true; */
int apply(int (*p)(int)) { return p(3); }
