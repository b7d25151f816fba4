// RUN: verify --quiet --timeout 60 %s
// EXPECT: main: verified
// RUN: verify --quiet --timeout 60 -DBUG %s
// EXPECT: main: violated
// STATUS: 1

#include <stdio.h>
static char b[3][3];
int main(void) {
  int r, c, turn = 0;
  for (r = 0; r < 3; r++) for (c = 0; c < 3; c++) b[r][c] = ' ';
  while (turn < 9 && scanf("%d %d", &r, &c) == 2) {
#ifdef BUG
    if (r < 0 || r > 3 || c < 0 || c > 2 || b[r][c] != ' ') continue;
#else
    if (r < 0 || r > 2 || c < 0 || c > 2 || b[r][c] != ' ') continue;
#endif
    b[r][c] = turn % 2 ? 'o' : 'x'; turn++;
  }
  return 0;
}
