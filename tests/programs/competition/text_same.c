// unreach-call: unknown
void reach_error(void);
int main() { const char *s = "abc", *t = "abc"; if (s != t) reach_error(); return 0; }
