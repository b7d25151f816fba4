// RUN: verify --engine vc --quiet %s
// EXPECT: :main: violated
// STATUS: 1
// Like `store_behind.c`, with numbers that a pointer leads to.
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = NULL, row[2] = {0};
    row[1] = 2;
    row[2] = 3;
    p = row;
    return __VERIFIER_nondet_int() ? *p : 0;
}
