// RUN: verify --engine vc --quiet %s
// EXPECT: :main: violated
// STATUS: 1
// A store behind the last element that follows the stores to all others, right after the declaration.
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char text[3] = {0};
    text[1] = 'a';
    text[2] = 0;
    text[3] = 'b';
    return __VERIFIER_nondet_int() ? (int)strlen(text) : 0;
}
