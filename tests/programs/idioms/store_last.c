// RUN: verify --engine vc --quiet %s
// EXPECT: :main: verified
// The twin of `store_behind.c`: the last store is one to the last element.
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char text[3] = {0};
    text[0] = 'a';
    text[1] = 'b';
    text[2] = 0;
    return __VERIFIER_nondet_int() ? (int)strlen(text) : 0;
}
