"""Which parts of a C text the answer about one function can depend on.

The library is asked about a whole text, so the key of a function must change with everything in the text that can change its
answer. That is: what the text includes, all that stands outside of bodies (declarations, contracts, directives), its own
text, the bodies of all functions that it can reach, and those bodies elsewhere that tell the library something about
the whole unit: addresses that are taken, texts, casts, struct values, arrays, macros, ghost code. A body that has nothing of
that is *inert*: it is left out of the keys of functions that do not reach it. The test for it is a list of what is allowed;
anything else counts. Where the text cannot be divided with certainty, or the declarations have what makes every member a possible
address (arrays, unions, structs inside structs), the whole text is part of each key.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Dict, Iterator, List, Optional, Sequence, Set, Tuple

from .tasks import Listed, Text, digest

_TOKEN = re.compile(
    rb"""(?P<space>\s+)
       | (?P<note>/\*@.*?\*/|//@[^\n]*)
       | (?P<comment>/\*.*?\*/|//[^\n]*)
       | (?P<word>[A-Za-z_]\w*)
       | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
       | (?P<text>L?"(?:\\.|[^"\\\n])*"|L?'(?:\\.|[^'\\\n])*')
       | (?P<sign>->|\+\+|--|<<=|>>=|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||\.\.\.|[^\s\w])""",
    re.VERBOSE | re.DOTALL)
_DIRECTIVE = re.compile(rb"^[ \t]*(?:#|%:|\?\?=)(?:\\\r?\n|/\*.*?\*/|[^\n])*", re.MULTILINE | re.DOTALL)
_NAME = re.compile(rb"[A-Za-z_]\w*")
#: Lines that are joined and other spellings of signs can hide words from a reader as simple as this one.
_HIDING = re.compile(rb"\\\r?\n|<:|:>|<%|%>|%:|\?\?|\r(?!\n)|[^\x00-\x7f]")

_WORDS = frozenset(b"""if else while for do return break continue switch case default sizeof struct const int unsigned
    signed long short _Bool void NULL""".split())
_TYPES = frozenset(b"struct union enum const volatile unsigned signed char short int long float double void _Bool".split())
_SIGNS = frozenset(b"{ } ( ) ; , -> = == != < > <= >= + - ! && || ? : += -= ++ -- * / %".split())
_CALLED = frozenset(b"malloc calloc free abort exit sizeof".split())
_NOT_PLAIN = frozenset(b"errno stdin stdout stderr".split())
_GHOSTLY = re.compile(rb"\b(ghost|predicate|logic|track|shape|axiomatic|lemma)\b|(?<!&)&(?!&)|\[")


@dataclass(frozen=True)
class _Token:
    kind: str
    text: bytes
    start: int


@dataclass
class _Function:
    name: bytes
    line: int
    #: From the `{` to the `}`.
    start: int
    end: int
    tokens: List[_Token]


def _tokens(text: bytes) -> Iterator[_Token]:
    at = 0
    line_start = True
    while at < len(text):
        directive = _DIRECTIVE.match(text, at) if line_start else None
        if directive:
            yield _Token("directive", directive.group(), at)
            at = directive.end()
            continue
        found = _TOKEN.match(text, at)
        if found is None:
            yield _Token("sign", text[at:at + 1], at)
            at += 1
            continue
        kind = found.lastgroup or "sign"
        if kind == "space":
            line_start = b"\n" in found.group()
        elif kind != "comment":
            line_start = False
            yield _Token(kind, found.group(), at)
        at = found.end()


def _hides(text: bytes) -> bool:
    return _HIDING.search(_DIRECTIVE.sub(b"", text)) is not None


def _name_before(tokens: Sequence[_Token], at: int) -> Optional[int]:
    """Of `name ( ... )` that ends before this place: where the name is."""
    depth = 0
    for i in range(at, -1, -1):
        if tokens[i].text == b")":
            depth += 1
        elif tokens[i].text == b"(":
            depth -= 1
            if depth == 0:
                return i - 1 if i > 0 and tokens[i - 1].kind == "word" else None
    return None


def _divide(text: bytes) -> Optional[Tuple[List[_Token], List[_Function]]]:
    """What stands outside of bodies, and the functions. `None`: it cannot be told."""
    if _hides(text):
        return None
    outside: List[_Token] = []
    functions: List[_Function] = []
    current: Optional[_Function] = None
    depth = 0
    for token in _tokens(text):
        if token.text == b"{" and token.kind == "sign":
            if depth == 0:
                last = next((i for i in range(len(outside) - 1, -1, -1) if outside[i].kind != "note"), -1)
                if last >= 0 and outside[last].text == b")":
                    at = _name_before(outside, last)
                    if at is None:
                        return None
                    line = text.count(b"\n", 0, outside[at].start) + 1
                    current = _Function(outside[at].text, line, token.start, len(text), [])
            depth += 1
        elif token.text == b"}" and token.kind == "sign":
            depth -= 1
            if depth < 0:
                return None
            if depth == 0 and current is not None:
                current.tokens.append(token)
                current.end = token.start + 1
                functions.append(current)
                current = None
                continue
        if current is not None:
            if token.kind == "directive":
                return None
            current.tokens.append(token)
        else:
            outside.append(token)
    names = [f.name for f in functions]
    if depth != 0 or current is not None or len(set(names)) != len(names):
        return None
    return outside, functions


def _exposes(outside: Sequence[_Token], typedefs: Set[bytes]) -> bool:
    """Whether a declaration makes members whose use alone is an address."""
    depth = 0
    for i, token in enumerate(outside):
        following = [t.text for t in outside[i + 1:i + 3]]
        depth += (token.text == b"{") - (token.text == b"}")
        if token.text in (b"[", b"union") or token.text in (b"__LINE__", b"__COUNTER__", b"_Pragma"):
            return True
        if token.text == b"struct" and following[1:] != [b"*"]:
            # Only a declaration of the type itself has no objects inside of others, and no values.
            if depth > 0 or not (following[1:] in ([b"{"], [b";"])):
                return True
        if depth > 0 and token.kind == "word" and token.text in typedefs and following[:1] != [b"*"]:
            return True
    return False


def _typedefs(outside: Sequence[_Token]) -> Set[bytes]:
    """Names between a `typedef` and its `;`: more than those that it defines."""
    names: Set[bytes] = set()
    inside, depth = False, 0
    for i, token in enumerate(outside):
        if token.text == b"typedef":
            inside, depth = True, 0
        depth += (token.text == b"{") - (token.text == b"}")
        if inside and depth == 0 and token.kind == "word" and outside[i - 1].text not in (b"struct", b"enum"):
            names.add(token.text)
        if token.text == b";" and depth == 0:
            inside = False
    return names - _TYPES - {b"typedef"}


class _Unit:
    def __init__(self, text: Text, outside: List[_Token], functions: List[_Function]) -> None:
        self.functions = {f.name: f for f in functions}
        self.text = text
        everything = list(outside)
        for name in sorted(text.files):
            everything += _tokens(text.files[name])
        directives = b"\n".join(t.text for t in everything if t.kind == "directive")
        self.macros = {m.group(1) for m in re.finditer(rb"define[ \t]+([A-Za-z_]\w*)", directives)}
        self.macros |= {d.split("=")[0].split("(")[0].encode() for d in text.options.defines}
        self.typedefs = _typedefs(everything)
        self.divisible = not _exposes(everything, self.typedefs) and not any(map(_hides, text.files.values()))
        self.called = set(_CALLED)
        #: Functions that anybody may reach: they are named outside of bodies otherwise than in a declaration.
        self.roots: Set[bytes] = set()
        words = set(_NAME.findall(directives)) | {w.encode() for d in text.options.defines for w in re.findall(r"\w+", d)}
        depth = 0
        for i, token in enumerate(everything):
            depth += (token.text == b"{") - (token.text == b"}")
            if token.kind != "word":
                continue
            call = i + 1 < len(everything) and everything[i + 1].text == b"("
            if call:
                self.called.add(token.text)
            if not call or depth > 0:
                words.add(token.text)
        self.roots = {w for w in words if w in self.functions}
        self.skeleton = digest(*[t.text for t in outside])
        self.mentions: Dict[bytes, Set[bytes]] = {
            f.name: {t.text for t in f.tokens if t.kind == "word" and t.text in self.functions} for f in functions}
        self.loud = {f.name for f in functions if not self._inert(f)}

    def _inert(self, function: _Function) -> bool:
        tokens = function.tokens
        for i, token in enumerate(tokens):
            before = tokens[i - 1] if i > 0 else token
            after = tokens[i + 1] if i + 1 < len(tokens) else token
            word = token.text
            if token.kind == "note":
                if _GHOSTLY.search(word):
                    return False
            elif token.kind == "number":
                if not re.fullmatch(rb"\d+[uUlL]*|0[xX][0-9a-fA-F]+[uUlL]*", word):
                    return False
            elif token.kind == "sign":
                if word not in _SIGNS:
                    return False
                # A declaration, a product or `sizeof *p`; no dereference.
                if word == b"*" and not (before.kind == "number" or before.text == b"sizeof"
                                         or before.kind == "word" and before.text not in _WORDS - {b"int", b"void"}):
                    return False
                if word == b"(" and (after.text in _TYPES or after.text in self.typedefs) and before.text != b"sizeof" \
                        and before.text != b"for":
                    return False
            elif token.kind == "word":
                if word in self.macros or word in _NOT_PLAIN or word.startswith(b"__"):
                    if not (word.startswith(b"__VERIFIER_nondet_") and after.text == b"("):
                        return False
                if word == b"struct":
                    tail = [t.text for t in tokens[i + 2:i + 3]]
                    closes = tail == [b")"] and before.text == b"("
                    if after.kind != "word" or not (tail == [b"*"] or closes):
                        return False
                elif word in _WORDS:
                    pass
                elif word in _TYPES or word in (b"goto", b"static", b"extern", b"typedef", b"asm", b"register", b"auto"):
                    return False
                elif word in self.typedefs and after.text != b"*":
                    return False
                elif after.text == b"(" and word not in self.called:
                    return False
                elif after.text != b"(" and word in self.functions:
                    return False
                elif word.isupper() and len(word) > 1:
                    return False
                elif after.text == b":" and before.text in (b";", b"{", b"}"):
                    return False
            else:
                return False
        return True

    def _reach(self, start: Set[bytes]) -> Set[bytes]:
        reached, open_ = set(start), list(start)
        while open_:
            for name in self.mentions[open_.pop()]:
                if name not in reached:
                    reached.add(name)
                    open_.append(name)
        return reached

    def key(self, name: bytes) -> str:
        """What the answer about a function depends on, as a hash."""
        reached = self._reach({name} | self.roots | self.loud) - {name}
        own = self.functions[name]
        bodies: List[bytes] = []
        for other in self.functions.values():
            if other.name in reached:
                bodies += [b"body of", other.name, *(t.text for t in other.tokens)]
        return digest("part", self.skeleton, name, self.text.source[own.start:own.end], *bodies)


def keys(text: Text, found: Sequence[Tuple[str, int]]) -> List[Listed]:
    """The functions that the library found, by name and line, each with the key of its row."""
    divided = _divide(text.source)
    unit = _Unit(text, *divided) if divided else None
    if unit is not None and not unit.divisible:
        unit = None
    common = [text.kind, text.version, text.options.text(), text.name]
    files = [part for name in sorted(text.files) for part in (name, text.files[name])]
    whole = digest("whole", text.source, *files)
    listed = []
    for function, line in found:
        own = unit.functions.get(function.encode()) if unit else None
        if unit is not None and own is not None and own.line == line:
            part, size = digest(unit.key(own.name), *files), own.end - own.start
        else:
            part, size = whole, len(text.source)
        listed.append(Listed(function, line, size, digest(*common, function, part)))
    return listed


def count(source: bytes) -> int:
    """How many functions have a body, roughly; a large number if that cannot be told."""
    divided = _divide(source)
    return len(divided[1]) if divided else 1000
