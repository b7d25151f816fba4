// valid-memsafety: unknown
int main() { char *s = "abc"; *s = 'x'; return 0; }
