// RUN: verify --check termination %s
// EXPECT: :given: verified
// EXPECT: :given_wrong: unknown
// EXPECT: the loop may end all the same
// EXPECT: :cells: verified
// EXPECT: :several: verified
// EXPECT: :sum: verified
// EXPECT: :sum_wrong: unknown
// EXPECT: :sum_none: unknown
// EXPECT: the contract needs `decreases`
// EXPECT: :length: verified
// EXPECT: :even: verified
// EXPECT: :odd: verified
// STATUS: 2
struct node { int data; struct node *next; };

/*@ requires \true; @*/
int given(int i, int n)
{
  //@ loop variant n - i;
  while (i < n) i++;
  return i;
}
/*@ requires \true; @*/
int given_wrong(int i, int n)
{
  //@ loop variant n + i;
  while (i < n) i++;
  return i;
}
/*@ requires \list(next, l); @*/
void cells(struct node *l)
{
  /*@ loop invariant \list(next, l); loop variant \cells(next, l, \null); @*/
  while (l) l = l->next;
}
/*@ requires \true; @*/
void several(int x, int y, int z)
{
  //@ loop variant x, y;
  while (x > 0 && y > 0) { if (y > 1) y--; else { x--; y = z; } }
}

/*@ requires 0 <= n; decreases n; assigns \nothing; @*/
int sum(int n) { if (n == 0) return 0; return sum(n - 1); }
/*@ requires 0 <= n; decreases n; assigns \nothing; @*/
int sum_wrong(int n) { if (n == 0) return 0; return sum_wrong(n); }
/*@ requires 0 <= n; assigns \nothing; @*/
int sum_none(int n) { if (n == 0) return 0; return sum_none(n - 1); }
/*@ requires \list(next, l); decreases \cells(next, l, \null); assigns \nothing; @*/
int length(struct node *l) { if (!l) return 0; return length(l->next); }

/*@ requires 0 <= n; decreases n; assigns \nothing; @*/
int odd(int n);
/*@ requires 0 <= n; decreases n; assigns \nothing; @*/
int even(int n) { if (n == 0) return 1; return odd(n - 1); }
int odd(int n) { if (n == 0) return 0; return even(n - 1); }
