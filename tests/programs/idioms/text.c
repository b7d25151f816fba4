// RUN: verify --quiet %s
// EXPECT: main: verified
// RUN: verify --quiet -DBUG %s
// EXPECT: main: violated
// STATUS: 1

#include <stdio.h>
#include <string.h>
static size_t measure(const char *t) { return strlen(t); }
int main(void)
{
  char line[128], name[64], both[200];
  if (fgets(line, sizeof line, stdin) == NULL) return 1;
  line[strcspn(line, "\n")] = '\0';
#ifdef BUG
  strcpy(name, line);
#else
  strncpy(name, line, sizeof name - 1);
  name[sizeof name - 1] = '\0';
#endif
  strcpy(both, name);
  strcat(both, " and ");
  strcat(both, line);
  if (strcmp(name, "nobody") == 0) puts(name);
  puts(both);
  printf("%zu\n", measure(both));
  return 0;
}
