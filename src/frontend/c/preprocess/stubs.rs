//! The bundled headers: declarations only, in plain C.
//!
//! What the lowering knows by name (`malloc`, `free`, `abort`, ...) is modelled; a call of any other function
//! declared here is reported as unsupported, because it has no body and no contract.

use super::super::Options;
use super::super::files::Standard;

/// The macros that are defined before the first line: what the standard asks for, and what GCC and Clang say of
/// the sizes of integers.
///
/// `__GNUC__` is 4.2, as Clang has it. Headers put what changes the meaning of a program behind it (`packed`), so without
/// it another program would be read than the one that is compiled. It promises nothing that is then silently skipped:
/// attributes, builtins and assembly without a model are reported where they are used. Nothing tells of a processor.
pub(super) fn predefined(options: &Options) -> String {
    let mut text = String::from(COMMON);
    let model = if options.lp64 { LP64 } else { ILP32 };
    text.push_str(model);
    let standard = options.flags.standard.unwrap_or(Standard::GNU11);
    if let Some(version) = standard.version {
        text.push_str(&format!("#define __STDC_VERSION__ {version}L\n"));
    }
    if standard.strict {
        text.push_str("#define __STRICT_ANSI__ 1\n");
    }
    text
}

const COMMON: &str = "\
#define NULL ((void *)0)
#define __STDC__ 1
#define __STDC_HOSTED__ 1
#define __CATENA__ 1
#define __GNUC__ 4
#define __GNUC_MINOR__ 2
#define __GNUC_PATCHLEVEL__ 1
#define __builtin_expect(value, guess) ((long)(value))
#define __builtin_expect_with_probability(value, guess, how) ((long)(value))
#define __builtin_prefetch(address, ...) ((void)(address))
#define __CHAR_BIT__ 8
#define __SCHAR_MAX__ 0x7f
#define __SHRT_MAX__ 0x7fff
#define __INT_MAX__ 0x7fffffff
#define __LONG_LONG_MAX__ 0x7fffffffffffffffLL
#define __WCHAR_MAX__ 0x7fffffff
#define __SIZEOF_SHORT__ 2
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG_LONG__ 8
#define __SIZEOF_WCHAR_T__ 4
#define __WCHAR_TYPE__ int
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_BIG_ENDIAN__ 4321
#define __ORDER_PDP_ENDIAN__ 3412
#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
#define __INT8_TYPE__ signed char
#define __INT16_TYPE__ short int
#define __INT32_TYPE__ int
#define __UINT8_TYPE__ unsigned char
#define __UINT16_TYPE__ short unsigned int
#define __UINT32_TYPE__ unsigned int
#define __INT8_MAX__ 0x7f
#define __INT16_MAX__ 0x7fff
#define __INT32_MAX__ 0x7fffffff
#define __UINT8_MAX__ 0xff
#define __UINT16_MAX__ 0xffff
#define __UINT32_MAX__ 0xffffffffU
";

const LP64: &str = "\
#define __LP64__ 1
#define _LP64 1
#define __LONG_MAX__ 0x7fffffffffffffffL
#define __SIZEOF_LONG__ 8
#define __SIZEOF_POINTER__ 8
#define __SIZEOF_SIZE_T__ 8
#define __SIZEOF_PTRDIFF_T__ 8
#define __SIZE_TYPE__ long unsigned int
#define __PTRDIFF_TYPE__ long int
#define __INTPTR_TYPE__ long int
#define __UINTPTR_TYPE__ long unsigned int
#define __INT64_TYPE__ long int
#define __UINT64_TYPE__ long unsigned int
#define __INTMAX_TYPE__ long int
#define __UINTMAX_TYPE__ long unsigned int
#define __SIZE_MAX__ 0xffffffffffffffffUL
#define __PTRDIFF_MAX__ 0x7fffffffffffffffL
#define __INTPTR_MAX__ 0x7fffffffffffffffL
#define __UINTPTR_MAX__ 0xffffffffffffffffUL
#define __INT64_MAX__ 0x7fffffffffffffffL
#define __UINT64_MAX__ 0xffffffffffffffffUL
#define __INTMAX_MAX__ 0x7fffffffffffffffL
#define __UINTMAX_MAX__ 0xffffffffffffffffUL
";

const ILP32: &str = "\
#define __ILP32__ 1
#define _ILP32 1
#define __LONG_MAX__ 0x7fffffffL
#define __SIZEOF_LONG__ 4
#define __SIZEOF_POINTER__ 4
#define __SIZEOF_SIZE_T__ 4
#define __SIZEOF_PTRDIFF_T__ 4
#define __SIZE_TYPE__ unsigned int
#define __PTRDIFF_TYPE__ int
#define __INTPTR_TYPE__ int
#define __UINTPTR_TYPE__ unsigned int
#define __INT64_TYPE__ long long int
#define __UINT64_TYPE__ long long unsigned int
#define __INTMAX_TYPE__ long long int
#define __UINTMAX_TYPE__ long long unsigned int
#define __SIZE_MAX__ 0xffffffffU
#define __PTRDIFF_MAX__ 0x7fffffff
#define __INTPTR_MAX__ 0x7fffffff
#define __UINTPTR_MAX__ 0xffffffffU
#define __INT64_MAX__ 0x7fffffffffffffffLL
#define __UINT64_MAX__ 0xffffffffffffffffULL
#define __INTMAX_MAX__ 0x7fffffffffffffffLL
#define __UINTMAX_MAX__ 0xffffffffffffffffULL
";

const STDDEF: &str = "\
#ifndef __CATENA_STDDEF
#define __CATENA_STDDEF
#define NULL ((void *)0)
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef int wchar_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
";

const STDLIB: &str = "\
#ifndef __CATENA_STDLIB
#define __CATENA_STDLIB
#include <stddef.h>
#include <alloca.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
extern void *malloc(size_t size);
extern void *calloc(size_t count, size_t size);
extern void *realloc(void *cell, size_t size);
extern void free(void *cell);
extern void abort(void);
extern void exit(int status);
extern void _Exit(int status);
extern int atexit(void (*function)(void));
extern int rand(void);
extern void srand(unsigned int seed);
extern int atoi(const char *text);
extern long atol(const char *text);
extern int abs(int value);
extern char *getenv(const char *name);
#endif
";

const ALLOCA: &str = "\
#ifndef __CATENA_ALLOCA
#define __CATENA_ALLOCA
#include <stddef.h>
extern void *alloca(size_t size);
#endif
";

const STDIO: &str = "\
#ifndef __CATENA_STDIO
#define __CATENA_STDIO
#include <stddef.h>
#define EOF (-1)
typedef struct __catena_file FILE;
extern FILE *stdin, *stdout, *stderr;
extern int printf(const char *format, ...);
extern int fprintf(FILE *stream, const char *format, ...);
extern int sprintf(char *target, const char *format, ...);
extern int snprintf(char *target, size_t size, const char *format, ...);
extern int scanf(const char *format, ...);
extern int puts(const char *text);
extern int putchar(int character);
extern int getchar(void);
extern int fflush(FILE *stream);
extern void perror(const char *text);
#endif
";

const STRING: &str = "\
#ifndef __CATENA_STRING
#define __CATENA_STRING
#include <stddef.h>
extern void *memset(void *target, int value, size_t size);
extern void *memcpy(void *target, const void *source, size_t size);
extern void *memmove(void *target, const void *source, size_t size);
extern int memcmp(const void *a, const void *b, size_t size);
extern size_t strlen(const char *text);
extern int strcmp(const char *a, const char *b);
extern int strncmp(const char *a, const char *b, size_t size);
extern char *strcpy(char *target, const char *source);
extern char *strncpy(char *target, const char *source, size_t size);
extern char *strcat(char *target, const char *source);
extern char *strdup(const char *text);
#endif
";

const STDBOOL: &str = "\
#ifndef __CATENA_STDBOOL
#define __CATENA_STDBOOL
#define bool _Bool
#define true 1
#define false 0
#define __bool_true_false_are_defined 1
#endif
";

const LIMITS: &str = "\
#ifndef __CATENA_LIMITS
#define __CATENA_LIMITS
#define CHAR_BIT 8
#define MB_LEN_MAX 16
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN (-128)
#define CHAR_MAX 127
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295U
#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-LONG_MAX - 1L)
#define ULONG_MAX (LONG_MAX * 2UL + 1UL)
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-LLONG_MAX - 1LL)
#define ULLONG_MAX 18446744073709551615ULL
#endif
";

/// `assert.h` may be included again after `NDEBUG` changed.
const ASSERT: &str = "\
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
extern void __catena_assert(int condition);
#define assert(condition) __catena_assert(!!(condition))
#endif
#define static_assert _Static_assert
";

const STDINT: &str = "\
#ifndef __CATENA_STDINT
#define __CATENA_STDINT
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long long intmax_t;
typedef unsigned long long uintmax_t;
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MAX 2147483647
#define INTPTR_MAX __INTPTR_MAX__
#define INTPTR_MIN (-INTPTR_MAX - 1)
#define UINTPTR_MAX __UINTPTR_MAX__
#define PTRDIFF_MAX __PTRDIFF_MAX__
#define PTRDIFF_MIN (-PTRDIFF_MAX - 1)
#define INTMAX_MAX __INTMAX_MAX__
#define INTMAX_MIN (-INTMAX_MAX - 1)
#define UINTMAX_MAX __UINTMAX_MAX__
#define INT8_C(c) c
#define INT16_C(c) c
#define INT32_C(c) c
#define UINT8_C(c) c
#define UINT16_C(c) c
#define UINT32_C(c) c ## U
#define INT64_C(c) c ## LL
#define UINT64_C(c) c ## ULL
#define INTMAX_C(c) c ## LL
#define UINTMAX_C(c) c ## ULL
#define INT32_MIN (-INT32_MAX - 1)
#define UINT32_MAX 4294967295U
#define INT64_MAX 9223372036854775807LL
#define INT64_MIN (-INT64_MAX - 1LL)
#define UINT64_MAX 18446744073709551615ULL
#define SIZE_MAX __SIZE_MAX__
#endif
";

const STDARG: &str = "\
#ifndef __CATENA_STDARG
#define __CATENA_STDARG
typedef struct __catena_va_list *va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_end(list) __builtin_va_end(list)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_arg(list, type) __builtin_va_arg(list, type)
#endif
";

const SETJMP: &str = "\
#ifndef __CATENA_SETJMP
#define __CATENA_SETJMP
typedef long jmp_buf[32];
extern int setjmp(jmp_buf place);
extern int _setjmp(jmp_buf place);
extern void longjmp(jmp_buf place, int value);
#endif
";

const PTHREAD: &str = "\
#ifndef __CATENA_PTHREAD
#define __CATENA_PTHREAD
typedef unsigned long pthread_t;
typedef struct { long state; } pthread_mutex_t, pthread_cond_t, pthread_attr_t, pthread_mutexattr_t;
#define PTHREAD_MUTEX_INITIALIZER { 0 }
extern int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*start)(void *), void *argument);
extern int pthread_join(pthread_t thread, void **result);
extern void pthread_exit(void *result);
extern int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *how);
extern int pthread_mutex_lock(pthread_mutex_t *mutex);
extern int pthread_mutex_unlock(pthread_mutex_t *mutex);
extern int pthread_mutex_destroy(pthread_mutex_t *mutex);
#endif
";

const CTYPE: &str = "\
#ifndef __CATENA_CTYPE
#define __CATENA_CTYPE
extern int isalnum(int c);
extern int isalpha(int c);
extern int isdigit(int c);
extern int islower(int c);
extern int isprint(int c);
extern int isspace(int c);
extern int isupper(int c);
extern int tolower(int c);
extern int toupper(int c);
#endif
";

const ERRNO: &str = "\
#ifndef __CATENA_ERRNO
#define __CATENA_ERRNO
extern int *__catena_errno(void);
#define errno (*__catena_errno())
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENOMEM 12
#define EINVAL 22
#endif
";

const TIME: &str = "\
#ifndef __CATENA_TIME
#define __CATENA_TIME
#include <stddef.h>
typedef long time_t;
typedef long clock_t;
extern time_t time(time_t *place);
extern clock_t clock(void);
#endif
";

const UNISTD: &str = "\
#ifndef __CATENA_UNISTD
#define __CATENA_UNISTD
#include <stddef.h>
typedef long ssize_t;
typedef int pid_t;
extern void _exit(int status);
extern unsigned int sleep(unsigned int seconds);
#endif
";

const HEADERS: &[(&str, &str)] = &[
    ("alloca.h", ALLOCA),
    ("assert.h", ASSERT),
    ("ctype.h", CTYPE),
    ("errno.h", ERRNO),
    ("inttypes.h", STDINT),
    ("limits.h", LIMITS),
    ("pthread.h", PTHREAD),
    ("setjmp.h", SETJMP),
    ("stdarg.h", STDARG),
    ("stdbool.h", STDBOOL),
    ("stddef.h", STDDEF),
    ("stdint.h", STDINT),
    ("stdio.h", STDIO),
    ("stdlib.h", STDLIB),
    ("string.h", STRING),
    ("sys/types.h", UNISTD),
    ("time.h", TIME),
    ("unistd.h", UNISTD),
];

/// The text of a bundled header.
pub(super) fn header(name: &str) -> Option<&'static str> {
    HEADERS.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}

/// Whether the C standard has a header of that name.
pub(super) fn is_standard(name: &str) -> bool {
    STANDARD.contains(&name)
}

/// The headers of C11 and C23.
const STANDARD: &[&str] = &[
    "assert.h",
    "complex.h",
    "ctype.h",
    "errno.h",
    "fenv.h",
    "float.h",
    "inttypes.h",
    "iso646.h",
    "limits.h",
    "locale.h",
    "math.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbit.h",
    "stdbool.h",
    "stdckdint.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "tgmath.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "wchar.h",
    "wctype.h",
];

/// The bundled headers.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    HEADERS.iter().map(|(name, _)| *name)
}
