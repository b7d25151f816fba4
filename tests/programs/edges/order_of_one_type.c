// RUN: verify --check memsafety,asserts %s
// EXPECT: :main: unknown
// STATUS: 2

// Here the array is the member that counts.
struct vector { int *data; int len; };
int main(void) {
  struct vector v = { &v.len, 0 }, *w = &v;
  w->data[w->len++] = 7;
  return 0;
}
