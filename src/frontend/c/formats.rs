//! Formats of `scanf` and `printf`, for cells and for execution.

/// One conversion of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Conversion {
    /// `d`, `s`, ...; `[` for a set of characters.
    pub(crate) letter: u8,
    /// `l`, `hh`, ...
    pub(crate) size: Vec<u8>,
    /// The number before the letter.
    pub(crate) width: Option<u64>,
    /// The number after a point.
    pub(crate) precision: Option<u64>,
    /// `%*d` in `scanf`: nothing is assigned.
    pub(crate) dropped: bool,
}

fn digits(text: &[u8], at: &mut usize) -> Option<u64> {
    let mut value: Option<u64> = None;
    while let Some(digit) = text.get(*at).filter(|b| b.is_ascii_digit()) {
        value = Some(value.unwrap_or(0).saturating_mul(10).saturating_add(u64::from(digit - b'0')));
        *at += 1;
    }
    value
}

/// The conversions of a format and the number of other characters; `None` if it is not understood.
pub(crate) fn conversions(text: &[u8], reading: bool) -> Option<(Vec<Conversion>, u64)> {
    let (mut found, mut plain, mut at) = (Vec::new(), 0, 0);
    while let Some(byte) = text.get(at) {
        at += 1;
        if *byte != b'%' {
            plain += 1;
            continue;
        }
        if text.get(at) == Some(&b'%') {
            at += 1;
            plain += 1;
            continue;
        }
        let mut dropped = false;
        while let Some(flag) = text.get(at).filter(|b| b"-+ #0*".contains(b)) {
            match (flag, reading) {
                (b'*', true) => dropped = true,
                (b'*', false) => return None,
                (_, true) => break,
                _ => {}
            }
            at += 1;
        }
        let width = digits(text, &mut at);
        let mut precision = None;
        if text.get(at) == Some(&b'.') {
            at += 1;
            precision = Some(digits(text, &mut at).unwrap_or(0));
            if text.get(at) == Some(&b'*') {
                return None;
            }
        }
        let mut size = Vec::new();
        while let Some(letter) = text.get(at).filter(|b| b"hljztL".contains(b)) {
            size.push(*letter);
            at += 1;
        }
        let letter = *text.get(at)?;
        at += 1;
        if letter == b'[' {
            // The set may begin with its own end.
            if text.get(at) == Some(&b'^') {
                at += 1;
            }
            at += 1;
            while *text.get(at)? != b']' {
                at += 1;
            }
            at += 1;
        }
        if !b"diuxXocsfFeEgGp[".contains(&letter) {
            return None;
        }
        found.push(Conversion { letter, size, width, precision, dropped });
    }
    Some((found, plain))
}

impl Conversion {
    /// The bits of the number that `scanf` writes.
    pub(crate) fn bits(&self, lp64: bool) -> Option<u32> {
        let long = if lp64 { 64 } else { 32 };
        Some(match (self.letter, &self.size[..]) {
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', size) => match size {
                b"" => 32,
                b"h" => 16,
                b"hh" => 8,
                b"l" | b"z" | b"t" => long,
                b"ll" | b"j" => 64,
                _ => return None,
            },
            (b'c', b"") if self.width.is_none_or(|w| w == 1) => 8,
            (b'f' | b'F' | b'e' | b'E' | b'g' | b'G', b"") => 32,
            (b'f' | b'F' | b'e' | b'E' | b'g' | b'G', b"l") => 64,
            _ => return None,
        })
    }

    /// It writes text.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.letter, b's' | b'[') && self.size.is_empty()
    }

    /// Characters that `printf` makes of a number, at most.
    pub(crate) fn most(&self) -> Option<u64> {
        let most = match self.letter {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => 24,
            b'c' => 1,
            b'p' => 20,
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' if self.size.is_empty() || self.size == b"l" => 330,
            _ => return None,
        };
        Some(most + self.width.unwrap_or(0).max(self.precision.unwrap_or(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::conversions;

    #[test]
    fn formats() {
        let (found, plain) = conversions(b"%d and %10s %*c %[^]a] 100%%", true).expect("a format");
        let letters: Vec<u8> = found.iter().map(|c| c.letter).collect();
        assert_eq!(letters, b"dsc[");
        assert_eq!((found[1].width, found[2].dropped, plain), (Some(10), true, 12));
        assert!(conversions(b"%n", true).is_none() && conversions(b"%*d", false).is_none());
        let (found, _) = conversions(b"%-08.3lf %lu", false).expect("a format");
        assert_eq!((found[0].width, found[0].precision), (Some(8), Some(3)));
        assert_eq!(found[1].bits(true), Some(64));
        assert!(conversions(b"%", true).is_none() && conversions(b"%[", true).is_none());
    }
}
