// expect: rejected
// nothing is verified
struct s;
struct t { struct s x; };
int main(void) { struct t x; return 0; }
