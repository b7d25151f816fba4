// RUN: verify %s
// EXPECT: :swap: verified
// EXPECT: :swap_same: violated
// EXPECT: :read: verified
// EXPECT: :between: verified
// EXPECT: :address: verified
// EXPECT: :value: verified
// EXPECT: :value_wrong: violated
// STATUS: 1
struct node { int data; struct node *next; };
int counter;

/*@ requires \valid(x) && \valid(y) && \separated(x, y);
    assigns x->data, y->data;
    ensures x->data == \old(y->data) && y->data == \old(x->data) - 1; @*/
void swap(struct node *x, struct node *y)
{
  int t = x->data;
  x->data = y->data;
  y->data = t - 1;
}

/*@ requires \valid(x) && \valid(y);
    ensures x->data == \old(y->data); @*/
void swap_same(struct node *x, struct node *y)
{
  int t = x->data;
  x->data = y->data;
  y->data = t - 1;
}

/*@ requires \valid_read(x) && \initialized(&x->data);
    assigns \nothing;
    ensures \result == x->data; @*/
int read(struct node *x) { return x->data; }

/*@ requires 0 <= n < 10 && \forall integer i; 0 <= i < n ==> i != n;
    ensures 1 <= \result <= 10; @*/
int between(int n) { return n + 1; }

/*@ requires \valid(&x->data) && \valid(&counter);
    ensures counter == \old(counter) + 1 && x->data == 0; @*/
void address(struct node *x) { x->data = 0; counter++; }

/*@ logic integer twice(integer x) = x + x;
    logic struct node *after(struct node *x) = x->next;
    lemma even: \forall integer x; twice(x) - x == x; @*/
/*@ requires \valid(x) && after(x) == x;
    ensures \result == twice(n) && after(\result == 0 ? x : x) == x; @*/
int value(struct node *x, int n) { return 2 * n; }

/*@ ensures \result == twice(n); @*/
int value_wrong(int n) { return 3 * n; }
