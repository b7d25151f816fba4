// RUN: certify %s %S/cert_monotone_data.cert
// EXPECT: tested: verified
// REFUSE: certified
// STATUS: 2
struct node { int data; struct node *next; };
/*@ requires \list(next, l) && l != NULL; ensures l->data != 42; @*/
void f(struct node *l) { l->next = l; }
