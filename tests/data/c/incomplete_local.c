// expect: rejected
// nothing is verified
struct s;
int main(void) { static struct s x; return 0; }
