// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// STATUS: 2
#include <stddef.h>
#include <assert.h>
extern void free(void *cell) __asm__("keep");
extern void *malloc(size_t size);
int main(void) { int *p = malloc(sizeof(int)); *p = 1; free(p); return 0; }
