// RUN: verify --engine vc --timeout 120 %s
// EXPECT: bump: verified
// EXPECT: tail: verified
// EXPECT: sign[positive]: violated
// EXPECT: sign[other]: verified
// EXPECT: twice: verified
// STATUS: 1
/* Contracts in front of declarations, as in a header; the definitions have none. */
struct node { int v; struct node *next; };

/*@ requires \valid(p); assigns p->v; ensures p->v == \old(p->v) + 1; @*/
void bump(struct node *p);
/*@ logic struct node *w;
    requires \list(next, l) && w != l && l -next*-> w;
    ensures  \result -next*-> w; @*/
struct node *tail(struct node *l);
/*@ requires \valid(p);
    behavior positive: requires p->v > 0; ensures \result == 2;
    behavior other:    requires p->v <= 0; ensures \result == 0; @*/
int sign(struct node *p);

void bump(struct node *q) { q->v++; }
struct node *tail(struct node *m) { return m->next; }
int sign(struct node *q) { return q->v > 0; }
/*@ requires \valid(p) && p->v == 3; ensures p->v == 5; @*/
void twice(struct node *p) { bump(p); bump(p); }
