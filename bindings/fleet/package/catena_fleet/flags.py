"""The flags of compilers in a compilation database, as `catena verify` reads them."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import replace
from typing import Dict, List, Optional, Sequence, Tuple

from .tasks import Options

#: Flags that take their value from the next word and concern something else.
_WITH_VALUE = frozenset("""-o -MF -MT -MQ -Xclang -Xlinker -Xassembler -Xpreprocessor -arch -target -T -u -z -L -l
    -aux-info --param -dumpbase --sysroot -isysroot -B -G""".split())
#: Flags that change the meaning of a text in a way that has no model, or that the library is not told of, by their beginning.
_UNMODELLED = tuple("""-funsigned-char -fno-signed-char -fshort-enums -fshort-wchar -fpack-struct -fms-extensions
    -fplan9-extensions -finstrument-functions -fopenmp -fopenacc -funsigned-bitfields -fno-signed-bitfields -malign-double
    -mno-align-double -mms-bitfields -mx32 -trigraphs -imacros -iprefix -iwithprefix -include-pch -Wp,- -I- @""".split())
#: Standards whose texts read the same: `-std` of anything else changes words or macros.
_STANDARD = re.compile(r"-{1,2}std=(gnu|c|iso9899:)(99|9x|11|1x|17|18|1999|199x|2011|2017|2018)$")


def words_of(command: str) -> Optional[List[str]]:
    """The words of a command as a shell splits it."""
    try:
        return shlex.split(command)
    except ValueError:
        return None


def read(words: Sequence[str], directory: str, base: Options) -> Tuple[Options, str]:
    """The options of a command, with what our own command line says after it, and the language if it is not C. Names are
    absolute, seen from the directory."""
    macros: Dict[str, Optional[str]] = {}
    includes: List[str] = []
    directories: List[str] = []
    system: List[str] = []
    unmodelled: List[str] = []
    lp64, language = base.lp64, ""
    at = 0

    def value(word: str, flag: str) -> Optional[str]:
        nonlocal at
        if not word.startswith(flag):
            return None
        if len(word) > len(flag):
            return word[len(flag):]
        at += 1
        return words[at - 1] if at <= len(words) else ""

    def here(path: str) -> str:
        return os.path.normpath(os.path.join(directory, path))

    while at < len(words):
        word = words[at]
        at += 1
        if word.startswith(_UNMODELLED):
            unmodelled.append(word)
            value(word, "-imacros")
        elif (path := value(word, "-include")) is not None:
            includes.append(here(path) if os.path.isfile(here(path)) else path)
        elif (path := value(word, "-iquote")) is not None:
            # The library has no directories for quotes only; that changes which file `<x.h>` is.
            directories.append(here(path))
        elif (path := value(word, "-isystem")) is not None or (path := value(word, "-idirafter")) is not None:
            system.append(here(path))
        elif (path := value(word, "-I")) is not None:
            directories.append(here(path))
        elif (text := value(word, "-D")) is not None:
            macros[re.split(r"[=(]", text)[0]] = text
        elif (text := value(word, "-U")) is not None:
            macros[text] = None
        elif (text := value(word, "-x")) is not None:
            language = "" if text in ("c", "none") else text
        elif word.startswith(("-std=", "--std=", "-ansi")):
            if not _STANDARD.match(word):
                unmodelled.append(word)
        elif word in ("-m32", "-m64"):
            lp64 = word == "-m64"
        elif word in _WITH_VALUE:
            at += 1
    defines = tuple(text for text in macros.values() if text is not None)
    undefines = tuple(name for name, text in macros.items() if text is None)
    return replace(
        base, lp64=lp64, defines=defines + base.defines, undefines=undefines + base.undefines,
        includes=tuple(includes) + base.includes,
        include_directories=tuple(directories + system) + base.include_directories, unmodelled=tuple(unmodelled)), language
