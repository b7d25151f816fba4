//! Names of documents: `file:///a/b.c` and paths.

/// The path that a name stands for; what is no file keeps its name.
pub(super) fn path_of(uri: &str) -> String {
    let Some(rest) = uri.strip_prefix("file://") else { return uri.to_owned() };
    // A host may stand before the path.
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    let mut bytes = Vec::with_capacity(path.len());
    let mut left = path.as_bytes();
    while let Some((&byte, rest)) = left.split_first() {
        let code = rest.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        let code = code.filter(|_| byte == b'%').and_then(|code| u8::from_str_radix(code, 16).ok());
        match code {
            Some(code) => {
                bytes.push(code);
                left = &rest[2..];
            }
            None => {
                bytes.push(byte);
                left = rest;
            }
        }
    }
    let path = String::from_utf8_lossy(&bytes).into_owned();
    // `/C:/x` is `C:/x`.
    let drive =
        path.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic) && path.as_bytes().get(2) == Some(&b':');
    if drive { path[1..].to_owned() } else { path }
}

/// The name of a path.
pub(super) fn of_path(path: &str) -> String {
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte as char)
            }
            b'\\' => out.push('/'),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_paths_and_back() {
        for (uri, path) in [
            ("file:///a/b.c", "/a/b.c"),
            ("file:///a%20b/%C3%A9.c", "/a b/é.c"),
            ("file:///100%25.c", "/100%.c"),
            ("file:///C%3A/x.c", "C:/x.c"),
        ] {
            assert_eq!(path_of(uri), path);
            assert_eq!(of_path(path), uri);
        }
        for (uri, path) in [
            ("file://host/a.c", "/a.c"),
            ("untitled:1", "untitled:1"),
            ("file:///%zz%", "/%zz%"),
            ("file://", ""),
        ] {
            assert_eq!(path_of(uri), path);
        }
    }
}
