// RUN: certify %s %S/cert_monotone_vacuous.cert
// EXPECT: tested: verified
// REFUSE: certified
// STATUS: 2
struct node { int data; struct node *next; };
/*@ requires l != NULL && l->next != NULL && l->next->next != NULL && l->next->next->next != NULL && \list(next, l); ensures \false; @*/
void f(struct node *l) { l->next = l; }
