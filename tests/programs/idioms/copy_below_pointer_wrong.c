// RUN: verify --engine vc --quiet %s
// EXPECT: :main: violated
// STATUS: 1
// The twin of `copy_below_pointer.c`: an array is shorter than the number lets through.
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct named { int key; int row[3]; char name[4]; };

int main(void)
{
    struct named one = { 1 }, other = { 2 };
    char *name = one.name;
    int *row = one.row, n = __VERIFIER_nondet_int();
    if (n < 0 || n > 3)
        return 0;
    one = other;
    name[n] = 0;
    row[n] = 1;
    return (int)strlen(name);
}
