// RUN: verify %s
// EXPECT: good: verified
// EXPECT: badpre: violated
// EXPECT: badpost: violated
// EXPECT: other: violated
// STATUS: 1
struct node { int data; struct node *next; };
/*@ logic struct node *r; requires \list(next,r) && r -next*-> p && p != NULL && e != NULL && !(r -next*-> e);
    assigns p->next, e->next; ensures \list(next,r); @*/
void sl_insert_after(struct node *p, struct node *e) { e->next = p->next; p->next = e; }
/*@ requires \list(next,l) && l != NULL && e != NULL && !(l -next*-> e); ensures \list(next,l); @*/
void good(struct node *l, struct node *e) { sl_insert_after(l,e); }
/*@ requires l != NULL && e != NULL && l != e; @*/
void badpre(struct node *l, struct node *e) { sl_insert_after(l,e); }
/*@ requires \list(next,l) && l != NULL && e != NULL && !(l -next*-> e); ensures \false; @*/
void badpost(struct node *l, struct node *e) { sl_insert_after(l,e); }
/*@ requires \list(next,l) && l != NULL && e != NULL && !(l -next*-> e); ensures \list(next,o); @*/
void other(struct node *l, struct node *e, struct node *o) { sl_insert_after(l,e); }
