//! The policy of the page names its script and style, which have nothing from outside.

use super::html::{SCRIPT, SCRIPT_HASH, STYLE, STYLE_HASH};
use sha2::{Digest, Sha256};

/// SHA-256 in base 64, as content-security policies have it.
fn hash(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes = Sha256::digest(text.as_bytes());
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let number = (0..3).fold(0u32, |n, i| n << 8 | u32::from(three.get(i).copied().unwrap_or(0)));
        for i in 0..4 {
            let digit = DIGITS[(number >> (18 - 6 * i) & 63) as usize];
            out.push(if i <= three.len() { digit as char } else { '=' });
        }
    }
    out
}

#[test]
fn the_policy_names_script_and_style() {
    assert_eq!(hash(STYLE), STYLE_HASH, "write the first into STYLE_HASH");
    assert_eq!(hash(SCRIPT), SCRIPT_HASH, "write the first into SCRIPT_HASH");
}

#[test]
fn nothing_is_fetched_or_made_from_text() {
    for word in
        ["http:", "https:", "url(", "@import", "innerHTML", "eval", "fetch", "import(", "document.write"]
    {
        assert!(!STYLE.contains(word) && !SCRIPT.contains(word), "{word}");
    }
    assert!(!STYLE.contains('<') && !SCRIPT.contains("</"));
}
