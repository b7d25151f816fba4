// RUN: verify --quiet --timeout 60 %s
// EXPECT: main: verified
// RUN: verify --quiet --timeout 60 -DBUG %s
// EXPECT: main: violated
// STATUS: 1

#include <stdio.h>
#include <stdlib.h>
#define MAX 10
static int stack[MAX];
static int top = 0;
static void push(int v) {
#ifdef BUG
  if (top <= MAX) stack[top++] = v;
#else
  if (top < MAX) stack[top++] = v;
#endif
}
static int pop(void) { return top > 0 ? stack[--top] : -1; }
int main(void) {
  int x;
  while (scanf("%d", &x) == 1) {
    if (x >= 0) push(x); else printf("%d\n", pop());
  }
  return 0;
}
