// RUN: verify --engine vc --timeout 120 %s
// EXPECT: fill: violated
// EXPECT: first: verified
// EXPECT: clear: violated
// STATUS: 1
/* A pointer that is indexed is an array; so is one of which only a declaration says it. */
/*@ requires 0 <= n && \valid(a + (0..n-1));
    assigns  a[0..n-1];
    ensures  \forall int k; 0 <= k && k < n ==> a[k] == v; @*/
void fill(int *a, int n, int v)
{
  int i;
  /*@ loop invariant 0 <= i && i <= n;
      loop invariant \forall int k; 0 <= k && k < i ==> a[k] == v;
      loop assigns i, a[0..n-1]; @*/
  for (i = 0; i <= n; i++) a[i] = v;
}

/*@ requires \valid(a); ensures *a == 7; @*/
void first(int *a);
void first(int a[]) { *a = 7; }

/*@ requires \valid(a + (0..3)); ensures a[3] == 0; @*/
void clear(int *a);
void clear(int *a) { fill(a, 4, 0); }
