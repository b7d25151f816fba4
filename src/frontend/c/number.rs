//! Constants: integers, numbers with a fraction, characters.

use super::types::FloatKind;

/// An integer constant as spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    /// Its value.
    pub value: u64,
    /// It has a `u` suffix.
    pub unsigned: bool,
    /// How many `l` suffixes.
    pub longs: u8,
    /// Not decimal: it may be unsigned without saying so.
    pub radix_prefix: bool,
}

/// Reads an integer constant; `None` if it is none or does not fit 64 bits.
pub fn integer(text: &str) -> Option<Literal> {
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = if let Some(rest) = lower.strip_prefix("0x") {
        (rest, 16)
    } else if let Some(rest) = lower.strip_prefix("0b") {
        (rest, 2)
    } else if lower.len() > 1 && lower.starts_with('0') && lower.as_bytes()[1].is_ascii_digit() {
        (&lower[1..], 8)
    } else {
        (lower.as_str(), 10)
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    if text.ends_with("lL") || text.ends_with("Ll") || text.contains("lLu") || text.contains("Llu") {
        return None;
    }
    let (unsigned, longs) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ll" => (false, 2),
        "ul" | "lu" => (true, 1),
        "ull" | "llu" => (true, 2),
        _ => return None,
    };
    let value = u64::from_str_radix(digits, radix).ok()?;
    Some(Literal { value, unsigned, longs, radix_prefix: radix != 10 })
}

/// Is this number spelled like a floating one?
pub fn is_floating(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let hexadecimal = lower.starts_with("0x");
    lower.contains('.') || (!hexadecimal && lower.contains('e')) || (hexadecimal && lower.contains('p'))
}

/// The value of a floating-point constant and its type; of a `long double` only the first digits count. There is none for
/// hexadecimal digits that would have to be rounded.
pub fn floating(text: &str) -> Option<(f64, FloatKind)> {
    let lower = text.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0x") {
        return hexadecimal(digits);
    }
    if let Some(digits) = lower.strip_suffix('f') {
        return digits.parse::<f32>().ok().map(|v| (f64::from(v), FloatKind::Single));
    }
    match lower.strip_suffix('l') {
        Some(digits) => digits.parse::<f64>().ok().map(|v| (v, FloatKind::Extended)),
        None => lower.parse::<f64>().ok().map(|v| (v, FloatKind::Double)),
    }
}

/// The value of `1.8p3`, whose digits are hexadecimal and whose exponent is one of two, if it is exact.
fn hexadecimal(text: &str) -> Option<(f64, FloatKind)> {
    let (digits, exponent) = text.split_once('p')?;
    let (exponent, kind) = match exponent.strip_suffix(['f', 'l']) {
        Some(digits) if exponent.ends_with('f') => (digits, FloatKind::Single),
        Some(digits) => (digits, FloatKind::Extended),
        None => (exponent, FloatKind::Double),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let shift = i32::try_from(fraction.len()).ok()?.checked_mul(4)?;
    let power = exponent.parse::<i32>().ok()?.checked_sub(shift)?;
    let mantissa = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    let bits = match kind {
        FloatKind::Single => 24,
        _ => 53,
    };
    let exact = mantissa >> mantissa.trailing_zeros().min(63);
    // Far from where numbers get smaller than their last digit, or too large.
    let small = (-60..=60).contains(&power) && exact < 1 << bits;
    small.then(|| (mantissa as f64 * 2f64.powi(power), kind))
}

/// The character that these hexadecimal digits of a universal name stand for.
pub fn universal(digits: &str) -> Option<char> {
    let hexadecimal = digits.bytes().all(|b| b.is_ascii_hexdigit());
    hexadecimal.then(|| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)).flatten()
}

/// The value of a character constant with its quotes; `None` if it is wide, has more characters than an `int`
/// has bytes, or none.
pub fn character(text: &str) -> Option<i64> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let bytes = unescape(inner)?;
    match bytes[..] {
        // `char` is signed on the platforms of both data models.
        [byte] => Some(i64::from(byte as i8)),
        // C leaves it to compilers; GCC and Clang put the first character highest.
        [_, _] | [_, _, _] | [_, _, _, _] => {
            let value = bytes.iter().fold(0u32, |value, byte| value << 8 | u32::from(*byte));
            Some(i64::from(value as i32))
        }
        _ => None,
    }
}

/// The bytes of a literal between its quotes; `None` for an escape that C does not know.
pub fn unescape(inner: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = inner.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let escape = rest.next()?;
        bytes.push(match escape {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'e' => 27,
            b'\\' | b'\'' | b'"' | b'?' => escape,
            b'0'..=b'7' => {
                let mut value = u32::from(escape - b'0');
                for _ in 0..2 {
                    let Some(digit) = rest.next_if(|b| (b'0'..=b'7').contains(b)) else { break };
                    value = value * 8 + u32::from(digit - b'0');
                }
                u8::try_from(value).ok()?
            }
            b'x' => {
                let mut value = 0u32;
                let mut digits = 0;
                while let Some(digit) = rest.peek().and_then(|b| char::from(*b).to_digit(16)) {
                    value = value.checked_mul(16)?.checked_add(digit)?;
                    digits += 1;
                    rest.next();
                }
                if digits == 0 {
                    return None;
                }
                u8::try_from(value).ok()?
            }
            b'u' | b'U' => {
                let length = if escape == b'u' { 4 } else { 8 };
                let digits: String = rest.by_ref().take(length).map(char::from).collect();
                let c = universal(&digits).filter(|_| digits.len() == length)?;
                bytes.extend(c.encode_utf8(&mut [0; 4]).bytes());
                continue;
            }
            _ => return None,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        let value = |text| integer(text).map(|l| l.value);
        assert_eq!(value("0"), Some(0));
        assert_eq!(value("017"), Some(15));
        assert_eq!(value("0xFFul"), Some(255));
        assert_eq!(value("18446744073709551615u"), Some(u64::MAX));
        assert_eq!(value("18446744073709551616"), None);
        assert_eq!(value("09"), None);
        assert_eq!(value("0x"), None);
        assert_eq!(value("1.0"), None);
        assert_eq!(value("1uu"), None);
        assert_eq!(floating("0x1.4p+4").map(|f| f.0), Some(20.0));
        assert_eq!(floating("0x.8p-1f"), Some((0.25, FloatKind::Single)));
        assert_eq!(floating("0xAp0L").map(|f| f.0), Some(10.0));
        assert_eq!(floating("0x1.00000001p0f"), None);
        assert_eq!(floating("0x1.4"), None);
        assert!(is_floating("1e3") && is_floating(".5") && !is_floating("0xe"));
    }

    #[test]
    fn characters() {
        assert_eq!(character("'a'"), Some(97));
        assert_eq!(character("'\\n'"), Some(10));
        assert_eq!(character("'\\xff'"), Some(-1));
        assert_eq!(character("'\\0'"), Some(0));
        assert_eq!(character("'ab'"), Some(24930));
        assert_eq!(character("'abcd'"), Some(0x6162_6364));
        assert_eq!(character("'\\xff\\0\\0\\1'"), Some(-16_777_215));
        assert_eq!(character("'abcde'"), None);
        assert_eq!(character("L'a'"), None);
        assert_eq!(character("''"), None);
        assert_eq!(unescape("\\u00e9"), Some("é".bytes().collect()));
        assert_eq!(unescape("\\u00e"), None);
        assert_eq!(character("'\\400'"), None);
        assert_eq!(unescape("\\x"), None);
    }
}
