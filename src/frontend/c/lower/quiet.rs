//! Functions of the library whose order of evaluation matters less: what they leave alone.

/// Functions of the library that change nothing.
pub(super) const READERS: &[&str] = &[
    "abs", "atoi", "atol", "atoll", "isalnum", "isalpha", "isdigit", "islower", "isprint", "ispunct",
    "isspace", "isupper", "isxdigit", "labs", "memchr", "memcmp", "strchr", "strcmp", "strlen", "strncmp",
    "strrchr", "strstr", "tolower", "toupper",
];

/// Functions of the library that neither read nor change what belongs to the program.
pub(super) const APART: &[&str] = &[
    "acos", "asin", "atan", "atan2", "cbrt", "ceil", "clock", "cos", "cosh", "exp", "fabs", "feof", "ferror",
    "fgetc", "floor", "fmax", "fmin", "fmod", "getc", "getchar", "getpid", "hypot", "log", "log10", "log2",
    "pow", "rand", "random", "rint", "round", "sin", "sinh", "sqrt", "srand", "srandom", "tan", "tanh",
    "trunc",
];
