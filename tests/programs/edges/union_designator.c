// RUN: verify --svcomp valid-memsafety %s
// EXPECT: VERDICT: true
// RUN: verify --svcomp unreach-call %s
// EXPECT: VERDICT: true
// A designator may name any member of a union, also one inside of braces.
void reach_error(void);
struct wide { unsigned char pad[6]; int last; };
union either { struct { int a, b; } narrow; struct wide wide; };
struct outer { int first; union either e; int after; };
struct outer o = { 1, { .wide = { { 'a', 'b' }, 7 } }, 9 };
struct outer p = { .e.wide.last = 5, .after = 3 };
int main(void) {
  union either local = { .wide = { .last = 4 } };
  if (o.e.wide.last != 7 || o.e.wide.pad[1] != 'b' || o.after != 9) reach_error();
  if (p.e.wide.last != 5 || p.after != 3 || p.first != 0) reach_error();
  if (local.wide.last != 4) reach_error();
  return 0;
}
