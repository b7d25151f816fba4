// RUN: infer --timeout 60 %s
// EXPECT: callers.c:
// STATUS: 0
// PERSON is_last: \valid(n)
// PERSON next_of: \true
// PERSON third: \list(next, l)
// PERSON set_all: \list(next, l)
// PERSON bump: \valid(n)
// PERSON record: \valid(n)
// PERSON lookup: i >= 0 && i < 8
// PERSON ratio: b != 0
struct node { int data; struct node *next; };

static struct node *recent;
static int table[8];

static int is_last(struct node *n) { return n->next == 0; }

static struct node *next_of(struct node *n) { return n ? n->next : 0; }

struct node *third(struct node *l) { return next_of(next_of(l)); }

static void bump(struct node *n) { n->data++; }

void set_all(struct node *l)
{
  while (l) {
    bump(l);
    l = next_of(l);
  }
}

void record(struct node *n)
{
  n->data = 1;
  recent = n;
}

int lookup(int i) { return table[i]; }

int ratio(int a, int b) { return a / b; }
