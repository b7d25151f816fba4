// RUN: verify %s
// EXPECT: :length: verified
// EXPECT: :length_wrong: violated
// EXPECT: :raise: verified
// EXPECT: :raise_wrong: violated
// EXPECT: :search: verified
// EXPECT: :search_wrong: violated
// EXPECT: :last: verified
// EXPECT: :last_wrong: violated
// STATUS: 1
// RUN: verify --check memsafety,asserts,ensures,termination %s
// EXPECT: :length: verified
// EXPECT: :raise: verified
// EXPECT: :search: verified
// EXPECT: :last: verified
// EXPECT: :last_wrong: violated
// STATUS: 1
struct node { int data; struct node *next; };

/*@ requires \list(next, l); decreases \cells(next, l, \null); assigns \nothing; ensures \result >= 0; @*/
int length(struct node *l) { if (!l) return 0; return 1 + length(l->next); }
/*@ requires \list(next, l); decreases \cells(next, l, \null); assigns \nothing; ensures \result > 0; @*/
int length_wrong(struct node *l) { if (!l) return 0; return 1 + length_wrong(l->next); }

/*@ requires \list(next, l); decreases \cells(next, l, \null);
    assigns \cells(next, l, \null)->data; ensures \list(next, l); @*/
void raise(struct node *l) { if (!l) return; if (l->data < 100) l->data = l->data + 1; raise(l->next); }
/*@ requires \list(next, l); decreases \cells(next, l, \null); assigns \nothing; @*/
void raise_wrong(struct node *l) { if (!l) return; l->data = 1; raise_wrong(l->next); }

/*@ requires \list(next, l); decreases \cells(next, l, \null); assigns \nothing;
    ensures \result == \null || \result->data == k; @*/
struct node *search(struct node *l, int k) { if (!l) return 0; if (l->data == k) return l; return search(l->next, k); }
/*@ requires \list(next, l); decreases \cells(next, l, \null); assigns \nothing;
    ensures \result == \null || \result->data == k; @*/
struct node *search_wrong(struct node *l, int k)
{
  if (!l) return 0;
  if (l->data >= k) return l;
  return search_wrong(l->next, k);
}

/*@ requires \list(next, l) && l != \null; decreases \cells(next, l, \null); assigns \nothing;
    ensures \result != \null && \result->next == \null; @*/
struct node *last(struct node *l) { if (!l->next) return l; return last(l->next); }
/*@ requires \list(next, l); decreases \cells(next, l, \null); assigns \nothing; @*/
struct node *last_wrong(struct node *l) { if (!l->next) return l; return last_wrong(l->next); }
