// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <assert.h>
%:define TWICE(x) x %:%: x
#define NAME twi
#define PASTE(a, b) a ## b
#define CALL(a, b) PASTE(a, b)
#define twice(x) ((x) * 2)
#define G twice
int mai\
n(void) <%
  int a<:2:> = <% 1, 2 %>, caf\u00e9 = 4; // a comment \
  a[0] = 100;
  assert(a<:0:> == 1 && café == 4 && TWICE(1) == 11);
  assert(G(3) == 6 && CALL(NAME, ce)(4) == 8 && sizeof("a\
b") == 3);
  return 0;
%>
