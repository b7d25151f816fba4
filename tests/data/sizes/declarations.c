struct in { char c; short s; };
struct s { char a; int b; long c; struct in in; char text[5]; union { int i; char u[12]; } un; short *p; struct s *next; };
union u { char c; long l; int a[3]; };
enum e { RED, GREEN };
enum wide { NARROW, WIDE = 0x100000000 };
typedef int vector[6];
extern struct s object, *pointer, table[4];
extern union u both;
extern int matrix[3][5], (*row)[5], *column[5];
static int number(void) { return 1; }
static char letter(int array[10]) { return (char)sizeof(array); }
int main(void) {
  char c = 1; signed char sc = 1; unsigned char uc = 1; short h = 1; unsigned short uh = 1; int i = 1; unsigned u = 1;
  long l = 1; unsigned long ul = 1; long long ll = 1; _Bool b = 1; int a[7] = { 0 }, *p = &i, **q = &p;
  char text[] = "four", *t = 0; vector v = { 0 }; enum e e = RED;
  i = number() + letter(a) + c + sc + uc + h + uh + (int)(u + l + ul + ll) + b + *p + **q + text[0] + (t == 0) + v[0] + e;
