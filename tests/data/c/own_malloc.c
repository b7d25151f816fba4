// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
struct node { int key; struct node *next; };
static struct node pool;
void *malloc(unsigned long n) { return &pool; }
extern void __assert_fail();
#define assert(c) ((c) ? (void)0 : __assert_fail())
int main(void) { struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b); a->key = 1; b->key = 2; assert(a->key == 1); return 0; }
