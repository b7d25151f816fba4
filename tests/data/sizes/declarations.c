struct __attribute__((packed)) tight { char c; long l; struct { char d; short s; } in; double x; };
#pragma pack(push, 2)
struct two { char c; int i; long long w; char d; };
#pragma pack(4)
union four { char c; double x; char text[13]; };
struct mixed { char c; struct tight t; double x; struct two w[3]; };
#pragma pack(pop)
struct around { char c; struct tight t; struct two w; union four u; long l; };
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
