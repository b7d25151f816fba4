//! The bundled headers, declarations in plain C below `headers/`, and the macros that are there before the first line.
//!
//! What the lowering knows by name (`malloc`, `free`, `abort`, ...) is modelled for the engines, and what
//! `execution` knows on the paths of a `main`; a call of any other function declared here is reported as unsupported,
//! because it has no body and no contract.

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

/// `assert.h` may be included again after `NDEBUG` changed.
const HEADERS: &[(&str, &str)] = &[
    ("alloca.h", include_str!("headers/alloca.h")),
    ("assert.h", include_str!("headers/assert.h")),
    ("ctype.h", include_str!("headers/ctype.h")),
    ("errno.h", include_str!("headers/errno.h")),
    ("float.h", include_str!("headers/float.h")),
    ("inttypes.h", include_str!("headers/inttypes.h")),
    ("iso646.h", include_str!("headers/iso646.h")),
    ("limits.h", include_str!("headers/limits.h")),
    ("locale.h", include_str!("headers/locale.h")),
    ("malloc.h", include_str!("headers/stdlib.h")),
    ("math.h", include_str!("headers/math.h")),
    ("memory.h", include_str!("headers/string.h")),
    ("pthread.h", include_str!("headers/pthread.h")),
    ("setjmp.h", include_str!("headers/setjmp.h")),
    ("signal.h", include_str!("headers/signal.h")),
    ("stdalign.h", include_str!("headers/stdalign.h")),
    ("stdarg.h", include_str!("headers/stdarg.h")),
    ("stdbool.h", include_str!("headers/stdbool.h")),
    ("stddef.h", include_str!("headers/stddef.h")),
    ("stdint.h", include_str!("headers/stdint.h")),
    ("stdio.h", include_str!("headers/stdio.h")),
    ("stdlib.h", include_str!("headers/stdlib.h")),
    ("stdnoreturn.h", include_str!("headers/stdnoreturn.h")),
    ("string.h", include_str!("headers/string.h")),
    ("strings.h", include_str!("headers/strings.h")),
    ("sys/queue.h", include_str!("headers/queue.h")),
    ("sys/time.h", include_str!("headers/systime.h")),
    ("sys/types.h", include_str!("headers/unistd.h")),
    ("time.h", include_str!("headers/time.h")),
    ("unistd.h", include_str!("headers/unistd.h")),
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
