//! What the small programs of [`super`] are made of: a table of features, each a few declarations, values and statements.
//!
//! `<<a|b>>` is one of these. A `$` and a letter is a hole: `$I` an index, `$V` a number, `$E` something that is read, `$L` a
//! literal, `$A` a character, `$S` a number from 0 to 4, `$O` one from 1 to 5, `$T` a text of the program and `$U` another one,
//! `$N` and `$M` lengths that the program keeps, `$G` what the names of its globals begin with.
//!
//! An array of characters is the last member of a struct that has no padding, as is one of numbers that a pointer leads to:
//! the sanitizer sees no step from one member into the next. Sizes of allocations are at least 1, because it gives `malloc(0)`
//! a byte. Every variable has a value when it is declared. What can fail is no part of a test whose outcome is plain: the compiler
//! leaves it out. No pointer to a global is moved backwards: nothing stands guard in front of the first one.

/// A part of C that a program is about.
pub(super) struct Feature {
    /// For people.
    pub(super) name: &'static str,
    /// Outside of the function.
    pub(super) globals: &'static str,
    /// At its beginning; one of them.
    pub(super) declarations: &'static [&'static str],
    /// Texts that may be written, with a zero at first.
    pub(super) texts: &'static [&'static str],
    /// What can be read.
    pub(super) values: &'static [&'static str],
    pub(super) statements: &'static [&'static str],
}

/// What every program begins with.
pub(super) const PRELUDE: &str = "#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <ctype.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
struct rec { struct rec *next; int k; int e; int v[3]; char t[4]; };
struct tail { int k; int v[3]; };
struct outer { struct { int v[2]; int w; } in[2]; int k; };
union uni { int i; unsigned j; };
struct bits { unsigned a : 3; int b : 4; unsigned c : 1; };
struct var { int tag; union { int n; char *s; int *p; } u; };
struct item { int id; struct item *next; };
struct hold { int len; char *s; int *p; };
struct big { int k; int v[80]; };
static struct tail tail_of(int k) { struct tail t = { k }; t.v[k % 3] = k; return t; }
static int *fresh(int k) { return calloc(k, sizeof(int)); }
static char *copied(const char *s) { char *t = malloc(strlen(s) + 1); strcpy(t, s); return t; }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static int total(const int *p, int k) { int s = 0; while (k-- > 0) s = (s + *p++) % 100; return s; }
static int count(const char *s, char c) { int k = 0; for (; *s; s++) if (*s == c) k++; return k; }
static void fill(char *s, int k) { int i; for (i = 0; i < k; i++) s[i] = 'z'; s[k] = 0; }
static char *past(char *s, char c) { while (*s && *s != c) s++; return s; }
";

/// What all programs can do with a text.
pub(super) const TEXTS: &[&str] = &[
    "strcpy($T, $L);",
    "strcat($T, $L);",
    "strcpy($T, $U);",
    "strcat($T, $U);",
    "$T[$I] = <<0|97|n|$A>>;",
    "memset($T, <<0|97>>, <<$S|n|$S>>);",
    "strncpy($T, $L, $S);",
    "strncpy($T, $U, <<$S|n + 1>>);",
    "strncat($T, $L, $S);",
    "x = (int)strlen($T);",
    "x = (int)strcspn($T, \"<<a|b|ab>>\");",
    "x = (int)strspn($T, \"ab\");",
    "for (i = 0; $T[i]; i++) ;",
    "for (s = $T; *s; s++) x++;",
    "if (strlen($T) < $O) strcpy($T, $L);",
    "if (strlen($T) + $S < <<$O|sizeof($T)>>) strcat($T, $L);",
    "snprintf($T, <<$S|n + 1|$O>>, \"%s\", $L);",
    "snprintf($T, $O, \"<<%d|a%d>>\", <<n|x|100>>);",
    "x = snprintf($T, $O, \"%s\", $U);",
    "sprintf($T, \"<<%d|b%d|%c>>\", n);",
    "sprintf($T, \"<<%s|a%s>>\", $U);",
    "memcpy($T, $L, <<0|1|2|3>>);",
    "memcpy($T, $U, $S);",
    "memmove($T, $U, <<$S|n>>);",
    "if ($T[$I] == 97) x = 1;",
    "s = $T + <<0|1|n>>; *s = 0;",
    "s = $T; *s++ = $A; *s = 0;",
    "$T[0] = <<97|98|0>>; $T[1] = <<98|99|0>>; $T[2] = <<97|0>>;",
    "{ char z[4] = $L; s = z; <<x = *s;|*s = 0;>> } <<x = *s|x = 0|s = NULL>>;",
    "s = $T; $T[0] = $A; $T[1] = 0; x = s[<<0|1|n>>];",
    "{ char *t = n ? $T : $U; <<t[1] = 0|t[0] = 97|x = (int)strlen(t)>>; }",
    "{ char z[<<2|3>>] = <<{0}|{ 97 }>>; z[1] = <<98|0>>; <<z[2] = 0;||z[2] = 98;>> x = z[<<0|1|n>>]; }",
    "{ char z[3] = <<{ [1] = 97 }|{ 97, 98 }|\"ab\">>; z[<<0|1|2>>] = <<97|0>>; z[<<0|2|n>>] = 0; strcpy($T, z); }",
    "{ static char z[3] = <<\"a\"|\"abc\"|{0}>>; z[<<n|1>>] = 97; <<x = (int)strlen(z)|strcpy($T, z)>>; }",
    "s = \"ab\"; <<s++; x = *s|x = s[n]|*s = 97|s = $T>>;",
    "s = $T; s += n; x = *s;",
    "s = $T; while (*s == $A) s++; *s = <<0|97>>;",
    "s = $T + strlen($T); <<x = *s|*s = 97|*s++ = 0>>;",
    "{ char *t = strdup($T); if (t[<<0|n|1|$S>>]) x++; free(t); }",
    "{ char *t = malloc(strlen($T) + <<1|1|2>>); strcpy(t, $T); x = (int)strlen(t); free(t); }",
    "{ char *t = malloc($O); strcpy(t, $T); free(t); }",
    "{ char *t = calloc(n + 1, 1); strncpy(t, $T, n); x = (int)strlen(t); free(t); }",
    "if (strchr($T, $A)) x = 2;",
    "s = strchr($T, $A); if (s) *s = 0;",
    "s = strrchr($T, $A); if (s) s[1] = <<0|97>>;",
    "x = isdigit((unsigned char)$T[0]) ? 1 : 0;",
    "$T[0] = (char)toupper((unsigned char)$T[0]);",
    "if (strcmp($T, $U) == 0) x++;",
    "if (strncmp($T, $L, 2) == 0) x = 1;",
    "x = count($T, $A);",
    "fill($T, <<$S|n|n + 1>>);",
    "s = past($T, $A); if (*s) x = 1; else <<*s = 97|x = 0|s[1] = 0>>;",
    "{ char z[4] = $L; memcpy($T, z, <<4|2|n>>); }",
    "{ char z[5] = \"ab\"; strcat(z, <<\"c\"|\"cd\"|\"cde\">>); strcpy($T, z); }",
    "x = atoi($T);",
    "if (sizeof($T) > n) $T[n] = 0;",
];

/// What can be read of a text.
pub(super) const TEXT_VALUES: &[&str] =
    &["(int)strlen($T)", "$T[$I]", "strcmp($T, $L)", "$T[0]", "$T[n]", "count($T, $A)"];

/// What all programs can do.
pub(super) const ANY: &[&str] = &[
    "x = $E;",
    "i = <<0|1|n>>;",
    "if ($E <<<|>|==>> <<0|1|2|n>>) return 0;",
    "{ const char *l = <<n ? $L : $L|$L>>; x = <<l[$S]|(int)strlen(l)|l[n]>>; }",
    "for (i = 0; i < <<n|2>>; i++) x = i;",
    "switch (n) { case 0: x = 1; break; case 1: x = 0; default: i = 1; }",
];

/// Each is in some programs.
pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "array of characters",
        globals: "",
        declarations: &["char c[$N] = <<\"\"|\"a\"|{0}>>;", "char c[5] = $L;"],
        texts: &["c"],
        values: &["(int)sizeof c"],
        statements: &[
            "for (i = 0; i < <<$N|n>>; i++) c[i] = <<97|0>>;",
            "s = c + strlen(c); s--; *s = 0;",
            "s = c + strlen(c); while (s > c && *--s == 'a') x++;",
        ],
    },
    Feature {
        name: "global text",
        globals: "static char $Gg[$N]<<|| = \"a\">>;\nstatic char $Gw[] = <<\"ab\"|\"\"|$L>>;\n",
        declarations: &[""],
        texts: &["$Gg", "$Gw"],
        values: &["(int)sizeof $Gw"],
        statements: &["s = $Gg; s[<<0|n|$N>>] = <<0|97>>;"],
    },
    Feature {
        name: "text on the heap",
        globals: "",
        declarations: &[
            "char *h = calloc($M, 1);",
            "char *h = calloc(n + 1, 1);",
            "char *h = strdup($L);",
            "char *h = malloc(n + 2); memset(h, 0, n + 2);",
            "char *h = malloc($M); h[0] = 0;",
        ],
        texts: &["h"],
        values: &["(h ? 1 : 0)", "*h"],
        statements: &[
            "h = realloc(h, <<$O|n + 1>>);",
            "free(h); h = calloc($O, 1);",
            "free(h); h = strdup($L);",
            "free(h); h = NULL;",
            "s = h; free(h); h = NULL; <<x = *s|x = 1|s = NULL>>;",
            "free(h<<|| + n>>); h = <<h|NULL>>;",
            "s = h; h = realloc(h, $O); <<x = *s|s = h; x = *s|x = *h>>;",
            "s = h + strlen(h) - 1; *s = <<0|97>>;",
            "{ char *t = realloc(h, strlen(h) + <<1|2>>); h = t; strcat(h, <<\"a\"|\"\">>); }",
        ],
    },
    Feature {
        name: "array of numbers",
        globals: "",
        declarations: &["int a[$N] = {0};", "int a[$N] = { 1, 2 };", "int a[$N] = { [1] = n };"],
        texts: &[],
        values: &["a[$I]", "total(a, <<$N|n|$S>>)"],
        statements: &[
            "a[$I] = $V;",
            "for (i = 0; i < <<$N|n|$N + 1>>; i++) a[i] = <<i|1|0>>;",
            "q = a + <<0|1|n>>; *q = 1; x = *q;",
            "x = a[$I];",
            "q = a; for (i = 0; i < <<$N|n>>; i++) *q++ = i;",
            "for (q = a; q < a + <<$N|n>>; q++) x = *q;",
            "q = a + $N; *--q = $V;",
            "a[0] = 1; a[1] = 2; a[2] = 3;",
            "{ int z[2] = <<{0}|{ 1 }>>; z[1] = 2; <<z[2] = 3;||>> q = z; x = q[<<0|1|n>>]; }",
            "memset(a, 0, <<sizeof a|n * sizeof(int)>>);",
            "{ int z[2]; memcpy(z, a, sizeof z); x = z[1]; }",
            "a[a[$S % $N] % $N & 1] = 1;",
            "{ int *last = &a[$N - 1]; *last = n; x = a[$N - 1]; }",
        ],
    },
    Feature {
        name: "numbers on the heap",
        globals: "",
        declarations: &[
            "int *p = calloc(n + <<1|2>>, sizeof *p);",
            "int *p = calloc($M, sizeof(int));",
            "int *p = malloc((n + 1) * sizeof *p); for (i = 0; i <= n; i++) p[i] = i; i = 0;",
        ],
        texts: &[],
        values: &["p[$I]", "*p", "total(p, <<n|n + 1|$S>>)"],
        statements: &[
            "p[$I] = $V;",
            "for (i = 0; i < <<n|n + 1|$M>>; i++) p[i] = 0;",
            "p = realloc(p, <<(n + 1)|(n + 2)|$O>> * sizeof *p);",
            "for (q = p; q < p + <<n|$M>>; q++) *q = 1;",
            "q = p + <<n|1>>; x = *q;",
            "q = p; *q++ = 1; *q = 2; x = (int)(q - p);",
            "free(p); p = <<NULL|calloc(n + 1, sizeof *p)>>;",
            "{ int *z = malloc($O * sizeof *z); memcpy(z, p, sizeof *z); x = z[0]; free(z); }",
        ],
    },
    Feature {
        name: "global arrays",
        globals: "static int $Ga[$N];\nstatic int $Gb[3] = { 1, 2, 3 };\nstatic struct item $Gi[3];\n",
        declarations: &["struct item *it = &$Gi[<<0|1>>];"],
        texts: &[],
        values: &["$Ga[$I]", "$Gb[<<0|1|2|n>>]", "$Gi[<<0|2|n>>].id", "it->id", "total($Gb, <<3|n>>)"],
        statements: &[
            "$Ga[$I] = $V;",
            "q = $Gb + <<n|1>>; x = *q;",
            "$Gi[<<0|1|2|n>>].id = $V;",
            "it = &$Gi[<<0|2|n % 3>>]; it->id = $V;",
            "$Gi[0].next = &$Gi[1]; it = $Gi[0].next; x = it->id;",
            "it = it->next; x = <<it->id|it ? it->id : 2>>;",
            "it = $Gi; it++; it->id = 3;",
            "$Gi[1] = $Gi[0];",
        ],
    },
    Feature {
        name: "arrays inside of structs",
        globals: "",
        declarations: &[
            "struct rec r; memset(&r, 0, sizeof r); struct rec *rp = &r;",
            "struct rec *rp = calloc(1, sizeof *rp);",
            "struct rec r = { NULL, 1, 0, { 1, 2 }, \"a\" }; struct rec *rp = &r;",
        ],
        texts: &["rp->t"],
        values: &["rp->v[<<0|1|2|n|n % 3|x>>]", "rp->k", "(rp->next ? 1 : 0)"],
        statements: &[
            "rp->v[<<0|1|2|n|n % 3|x>>] = $V;",
            "rp->k = rp->v[1] + 1;",
            "x = rp->v[<<0|n|n % 3>>];",
            "{ struct rec z = *rp; x = z.v[<<1|n % 3>>] + z.k; }",
            "{ struct rec z = *rp; z.v[0] = 5; strcpy(z.t, $L); *rp = z; }",
            "{ struct rec z = *rp; z.t[<<0|1|3|n>>] = <<0|97>>; x = rp->t[0] + (int)strlen(z.t); }",
            "{ struct rec z; memcpy(&z, rp, sizeof z); x = (int)strlen(z.t); }",
            "for (i = 0; i < <<3|n>>; i++) rp->v[i] = <<i|n>>;",
            "rp->next = calloc(1, sizeof *rp); strcpy(rp->next->t, $L);",
            "if (rp->next) { rp->next->v[n % 3] = 1; x = rp->next->v[<<0|n % 3>>]; }",
            "memset(rp, 0, sizeof *rp);",
            "rp->v[<<0|n % 3>>]++;",
            "{ char *l = rp->t; struct rec z = { NULL }; *rp = z; l[<<0|3|n>>] = 0; x = (int)strlen(l); }",
            "{ char *l = rp->t; struct rec z = { NULL }; memcpy(rp, &z, sizeof z); x = l[<<0|n>>]; }",
            "{ struct rec z[2]; z[0] = *rp; z[1] = z[0]; z[<<0|n % 2>>].t[<<0|2>>] = 0; x = (int)strlen(z[1].t); }",
        ],
    },
    Feature {
        name: "pointers to the end of structs",
        globals: "",
        declarations: &[
            "struct tail tl = { 0 }; struct tail *tp = &tl;",
            "struct tail *tp = calloc(1, sizeof *tp);",
        ],
        texts: &[],
        values: &["tp->v[<<0|2|n|x>>]", "tp->k", "total(tp->v, <<3|n>>)"],
        statements: &[
            "q = tp->v; q[<<0|n|2>>] = $V;",
            "q = tp->v + <<n|2>>; x = *q;",
            "{ struct tail z = *tp; z.v[2] = n; *tp = z; x = z.v[2]; }",
            "tp->v[n % 3] = $V;",
            "{ struct tail z = { 1 }; q = tp->v; *tp = z; x = q[<<0|2|n>>]; }",
            "q = &tp->v[<<1|2|n>>]; *q = 3;",
        ],
    },
    Feature {
        name: "nested arrays in structs",
        globals: "",
        declarations: &[
            "struct outer o; memset(&o, 0, sizeof o);",
            "struct outer o = { { { { 1, 2 }, 3 } } };",
        ],
        texts: &[],
        values: &["o.in[<<0|1|n>>].v[<<0|1|n % 2>>]", "o.in[<<0|n % 2>>].w", "o.k"],
        statements: &[
            "o.in[<<0|1|n|n % 2>>].v[<<0|1|x|n>>] = $V;",
            "o.in[n % 2].w = $V;",
            "o.in[1] = o.in[0]; x = o.in[1].w;",
            "{ struct outer z = o; z.in[0].v[1] = 7; x = o.in[0].v[1]; o = z; }",
            "for (i = 0; i < 2; i++) o.in[i].v[i] = o.k + i;",
        ],
    },
    Feature {
        name: "bit-fields",
        globals: "",
        declarations: &["struct bits b = {0};", "struct bits b = { 7, -8, 1 };"],
        texts: &[],
        values: &["b.a", "b.b", "b.c"],
        statements: &[
            "b.a = $V;",
            "b.b = $V;",
            "b.a++;",
            "b.b--;",
            "b.c ^= 1;",
            "b.c = $V;",
            "x = b.a;",
            "x = b.a--;",
            "b.a += 3;",
        ],
    },
    Feature {
        name: "unions of numbers",
        globals: "",
        declarations: &["union uni u; u.i = 0;"],
        texts: &[],
        values: &["u.i", "(u.j > 2)"],
        statements: &["u.i = n;", "u.j = 3;", "x = u.i;", "u.i = -1; x = u.j > 1;", "u.i++;"],
    },
    Feature {
        name: "unions with pointers",
        globals: "",
        declarations: &["int held = 4; struct var w; w.tag = 0; w.u.n = 0;"],
        texts: &[],
        values: &["(w.tag == 0 ? w.u.n : 1)", "(w.tag == 2 ? *w.u.p : 1)", "held"],
        statements: &[
            "w.tag = 1; w.u.s = \"abc\";",
            "w.tag = 0; w.u.n = n;",
            "w.tag = 2; w.u.p = &held;",
            "if (w.tag == 1) x = w.u.s[<<0|n|3>>];",
            "if (w.tag == 0) x = w.u.n;",
            "if (w.tag == 1) x = (int)strlen(w.u.s);",
            "if (w.tag) x = (int)strlen(w.u.s);",
            "if (w.tag == 2) *w.u.p = $V;",
            "{ struct var z = w; if (z.tag == 2) x = *z.u.p; }",
        ],
    },
    Feature {
        name: "arrays of arrays",
        globals: "",
        declarations: &["int m[2][$M]; memset(m, 0, sizeof m);", "int m[2][$M] = { { 1 }, { 2 } };"],
        texts: &[],
        values: &["m[<<0|1|n>>][<<0|n|$M - 1|x>>]"],
        statements: &[
            "m[<<0|1|n % 2>>][<<0|$M - 1|n>>] = $V;",
            "for (i = 0; i < $M; i++) m[1][i] = m[0][i] + 1;",
            "q = m[1]; x = q[<<0|n|$M - 1>>];",
            "m[1][n % $M]++;",
        ],
    },
    Feature {
        name: "texts in an array",
        globals: "",
        declarations: &["const char *l[3] = { $L, $L, NULL };", "char *l[3] = { NULL, \"ab\", \"c\" };"],
        texts: &[],
        values: &["x + (l[<<0|1|2|n>>] ? 1 : 0)", "(int)strlen(l[1])", "l[<<1|n>>][0]"],
        statements: &[
            "if (l[n % 3]) x = l[n % 3][<<0|1|n>>];",
            "l[<<0|2|n>>] = \"d\";",
            "x = (int)strlen(l[n]);",
            "for (i = 0; l[i]; i++) x++;",
        ],
    },
    Feature {
        name: "numbers with a fraction",
        globals: "",
        declarations: &["double d = 0, f[$N] = { 1.5 };", "float d = n, f[$N] = { 0 };"],
        texts: &[],
        values: &["(int)d", "(d > 1)", "(int)f[$I]"],
        statements: &[
            "d = d + n;",
            "d = x / 2.0;",
            "f[$I] = d;",
            "x = (int)(d + 0.5);",
            "if (d >= n) x = 1;",
            "d = <<f[0]|f[n]>>;",
            "x = d == 0 ? 3 : 1;",
            "d++;",
        ],
    },
    Feature {
        name: "pointers inside of structs",
        globals: "",
        declarations: &[
            "struct hold ho = { 0, strdup($L), NULL };",
            "struct hold ho = { 1, calloc(n + 1, 1), calloc(2, sizeof(int)) };",
        ],
        texts: &["ho.s"],
        values: &["ho.s[<<0|n|ho.len>>]", "(ho.p ? *ho.p : 2)", "ho.len"],
        statements: &[
            "free(ho.s); ho.s = strdup($L); ho.len = (int)strlen(ho.s);",
            "ho.len = (int)strlen(ho.s); ho.s[ho.len] = <<0|97>>;",
            "free(ho.s); ho.s = NULL;",
            "if (!ho.p) ho.p = malloc($O * sizeof *ho.p); ho.p[<<0|1|n>>] = $V;",
            "ho.p = realloc(ho.p, (n + 1) * sizeof *ho.p); ho.p[<<n|1>>] = 0;",
            "if (ho.p) x = ho.p[<<0|1|n>>];",
            "{ struct hold z = ho; z.s[0] = 0; x = (int)strlen(ho.s); }",
            "{ struct hold *z = &ho; z->s[<<0|n>>] = 0; z->len = n; free(z->p); z->p = NULL; }",
        ],
    },
    Feature {
        name: "narrow numbers",
        globals: "",
        declarations: &["unsigned char ub[$N] = { 200, 1 }; short sh[$M] = { 1 };"],
        texts: &[],
        values: &["ub[$I]", "sh[<<0|n|$M - 1>>]"],
        statements: &[
            "ub[$I] = $V;",
            "{ unsigned char *z = ub; z[<<0|n|$N>>] = 255; x = *z; }",
            "{ short *z = sh + <<n|0|$M - 1>>; *z = 1; x = *z; }",
            "sh[n % $M] += 300;",
            "ub[0]++; x = ub[0];",
            "memset(ub, 255, <<sizeof ub|n + 1>>);",
        ],
    },
    Feature {
        name: "long arrays",
        globals: "static int $Gl[100];\n",
        declarations: &["struct big bg = { 1 };", "struct big bg; memset(&bg, 0, sizeof bg); bg.k = 2;"],
        texts: &[],
        values: &["$Gl[n * <<30|25|49>>]", "bg.v[n * <<20|19|26>>]", "bg.k"],
        statements: &[
            "$Gl[<<96 + n|n|99>>] = $V;",
            "q = $Gl + <<97|96>>; x = q[n];",
            "bg.v[<<77 + n|n * 20|78>>] = $V;",
            "{ struct big z = bg; z.v[n] = 1; bg = z; x = bg.k; }",
            "for (i = 0; i < <<100|n>>; i++) $Gl[i] = i;",
            "q = bg.v + <<78|76>>; *q = 1; x = q[n];",
        ],
    },
    Feature {
        name: "results of functions",
        globals: "",
        declarations: &["struct tail tr = tail_of(n);"],
        texts: &[],
        values: &["tr.v[<<0|2|n>>]", "tail_of(<<n|1>>).k", "tr.k"],
        statements: &[
            "{ int *z = fresh(<<n + 1|2|$O>>); z[<<0|1|n>>] = 1; free(z); }",
            "s = copied($L); x = s[<<0|n|1>>]; free(s);",
            "s = copied($L); s[strlen(s)<<|| + 1>>] = 0; free(s);",
            "tr = tail_of(<<n|2>>); x = tr.v[<<0|n|n % 3>>];",
            "swap(&x, &i);",
            "q = fresh(2); swap(q, q + <<1|n>>); free(q);",
            "q = tr.v; tr = tail_of(1); q[<<n|2>>] = x;",
        ],
    },
];
