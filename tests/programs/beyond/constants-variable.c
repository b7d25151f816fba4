// RUN: verify --engine vc --timeout 120 %s
// EXPECT: limit: violated
// EXPECT: letter: violated
// STATUS: 1
int most = 3;
struct node { int d; struct node *next; };

/*@ requires \valid(n); ensures n->d == 3; @*/
void limit(struct node *n) { n->d = most; }

static int first(const char *text) { return *text; }

/*@ ensures \result == 'x'; @*/
int letter(void) { const char *text = "yx"; return first(text); }
