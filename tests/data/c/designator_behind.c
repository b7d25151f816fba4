// expect: violated
int a[] = { [2] = 1 };
int main(void) { return a[3]; }
