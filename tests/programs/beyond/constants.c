// RUN: verify --engine vc --timeout 120 %s
// EXPECT: limit: verified
// EXPECT: letter: verified
const int most = 3;
static const unsigned char mask = 300 & 255;
struct node { int d; struct node *next; };

/*@ requires \valid(n); ensures n->d == 47; @*/
void limit(struct node *n) { n->d = most + mask; }

static int first(const char *text) { return *text; }

/*@ ensures \result == 'x'; @*/
int letter(void) { const char *text = "xyz"; return text ? first(text) : 0; }
