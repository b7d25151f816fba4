// RUN: verify --engine vc --quiet %s
// EXPECT: :main: verified
// A pointer into a struct is held while another struct, which no pointer leads into, is copied over it.
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct named { int key; int row[3]; char name[4]; };

int main(void)
{
    struct named one = { 1 }, other = { 2 };
    char *name = one.name;
    int *row = one.row, n = __VERIFIER_nondet_int();
    if (n < 0 || n > 2)
        return 0;
    one = other;
    name[n] = 0;
    row[n] = 1;
    memcpy(&one, &other, sizeof one);
    return row[n] + (int)strlen(name);
}
