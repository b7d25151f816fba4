//! Options of a verification as a JSON object. A key that is not known is an error, so that a misspelt limit is not
//! silently no limit.

use catena::findings::Check;
use catena::{Disk, Engine, Limits, Verifier};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::time::Duration;

/// Every key with what it takes.
const KEYS: [(&str, &str); 19] = [
    ("file", "a string"),
    ("engine", "a string"),
    ("checks", "a list of strings"),
    ("functions", "a list of strings"),
    ("behaviors", "a list of strings"),
    ("certificates", "true or false"),
    ("timeout_ms", "a number from 0"),
    ("steps", "a number from 0"),
    ("memory", "a number from 0"),
    ("jobs", "a number from 0"),
    ("malloc_may_fail", "true or false"),
    ("lp64", "true or false"),
    ("defines", "a list of strings"),
    ("undefines", "a list of strings"),
    ("includes", "a list of strings"),
    ("include_directories", "a list of strings"),
    ("files", "an object from paths to texts"),
    ("disk", "true or false"),
    ("pictures", "true or false"),
];

/// What a JSON object asks for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The name of the text.
    pub file: String,
    /// How it is verified.
    pub verifier: Verifier,
    /// The limits, without a token.
    pub limits: Limits,
    /// Whether states come with pictures.
    pub pictures: bool,
}

impl Options {
    /// Reads the object; an empty text is an empty object.
    pub fn read(text: &str) -> Result<Options, String> {
        let object = if text.trim().is_empty() {
            Map::new()
        } else {
            match serde_json::from_str(text) {
                Ok(Value::Object(object)) => object,
                Ok(other) => return Err(format!("options: expected a JSON object, found {}", kind(&other))),
                Err(error) => return Err(format!("options: {error}")),
            }
        };
        if let Some(key) = object.keys().find(|key| !KEYS.iter().any(|(known, _)| known == key)) {
            let known: Vec<&str> = KEYS.iter().map(|(known, _)| *known).collect();
            return Err(format!("options: unknown key `{key}`, expected one of {}", known.join(", ")));
        }
        Reader { object }.read()
    }
}

struct Reader {
    object: Map<String, Value>,
}

impl Reader {
    fn read(&self) -> Result<Options, String> {
        let mut verifier = Verifier::new();
        if let Some(word) = self.string("engine")? {
            let known = || Engine::ALL.map(Engine::word).join(", ");
            let engine = Engine::named(&word);
            verifier = verifier
                .engine(engine.ok_or_else(|| {
                    format!("options: engine: found `{word}`, expected one of {}", known())
                })?);
        }
        let mut checks = Vec::new();
        for word in self.strings("checks")? {
            let known = || Check::ALL.map(Check::word).join(", ");
            let check = Check::named(&word);
            checks
                .push(check.ok_or_else(|| {
                    format!("options: checks: found `{word}`, expected one of {}", known())
                })?);
        }
        verifier = verifier.checks(checks);
        verifier = verifier.functions(self.strings("functions")?).behaviors(self.strings("behaviors")?);
        verifier = verifier.certificates(self.bool("certificates", false)?);
        verifier =
            verifier.malloc_may_fail(self.bool("malloc_may_fail", false)?).lp64(self.bool("lp64", true)?);
        verifier =
            verifier.jobs(self.number("jobs")?.map_or(1, |n| usize::try_from(n).unwrap_or(usize::MAX)));
        for text in self.strings("defines")? {
            verifier = verifier.define(text);
        }
        for name in self.strings("undefines")? {
            verifier = verifier.undefine(name);
        }
        for file in self.strings("includes")? {
            verifier = verifier.include(file);
        }
        for directory in self.strings("include_directories")? {
            verifier = verifier.include_directory(directory);
        }
        let files = self.files()?;
        match (self.bool("disk", false)?, files.is_empty()) {
            (true, true) => verifier = verifier.files(Disk),
            (true, false) => return Err("options: `disk` and `files` exclude each other".to_owned()),
            (false, _) => verifier = verifier.files(files),
        }
        let some = |key: &str| self.number(key).map(|n| n.filter(|n| *n > 0));
        let limits = Limits {
            steps: some("steps")?,
            time: some("timeout_ms")?.map(Duration::from_millis),
            memory: some("memory")?,
            cancel: None,
        };
        let file = self.string("file")?.unwrap_or_else(|| "input.c".to_owned());
        Ok(Options { file, verifier, limits, pictures: self.bool("pictures", false)? })
    }

    fn files(&self) -> Result<BTreeMap<String, Vec<u8>>, String> {
        match self.object.get("files") {
            None | Some(Value::Null) => Ok(BTreeMap::new()),
            Some(Value::Object(files)) => {
                let read = |(path, text): (&String, &Value)| match text {
                    Value::String(text) => Ok((path.clone(), text.clone().into_bytes())),
                    other => Err(wrong("files", other)),
                };
                files.iter().map(read).collect()
            }
            Some(other) => Err(wrong("files", other)),
        }
    }

    fn string(&self, key: &str) -> Result<Option<String>, String> {
        match self.object.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(wrong(key, other)),
        }
    }

    fn strings(&self, key: &str) -> Result<Vec<String>, String> {
        match self.object.get(key) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(items)) => {
                let read = |item: &Value| item.as_str().map(str::to_owned).ok_or_else(|| wrong(key, item));
                items.iter().map(read).collect()
            }
            Some(other) => Err(wrong(key, other)),
        }
    }

    fn number(&self, key: &str) -> Result<Option<u64>, String> {
        match self.object.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => value.as_u64().map(Some).ok_or_else(|| wrong(key, value)),
        }
    }

    fn bool(&self, key: &str, default: bool) -> Result<bool, String> {
        match self.object.get(key) {
            None | Some(Value::Null) => Ok(default),
            Some(value) => value.as_bool().ok_or_else(|| wrong(key, value)),
        }
    }
}

fn wrong(key: &str, found: &Value) -> String {
    let expected = KEYS.iter().find(|(known, _)| *known == key).map_or("another value", |(_, what)| what);
    format!("options: {key}: expected {expected}, found {}", kind(found))
}

fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(_) => "a string".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = |text: &str| Options::read(text).expect_err(text);
        assert!(wrong("[]").contains("expected a JSON object, found a list"));
        assert!(wrong("{").contains("options: "));
        assert!(wrong(r#"{"timeout": 1}"#).contains("unknown key `timeout`"));
        assert!(wrong(r#"{"timeout_ms": -1}"#).contains("timeout_ms: expected a number from 0, found -1"));
        assert!(wrong(r#"{"engine": "z3"}"#).contains("found `z3`, expected one of auto"));
        assert!(wrong(r#"{"checks": ["all"]}"#).contains("found `all`"));
        assert!(wrong(r#"{"checks": [1]}"#).contains("a list of strings"));
        assert!(wrong(r#"{"files": {"a.h": 1}}"#).contains("files"));
        assert!(wrong(r#"{"disk": true, "files": {"a.h": ""}}"#).contains("exclude"));
    }

    #[test]
    fn nothing_is_the_default() {
        for text in ["", " ", "{}", r#"{"engine": null}"#] {
            let options = Options::read(text).expect("all options may be left out");
            assert_eq!(options.file, "input.c");
            assert_eq!(options.limits.time, None);
        }
    }
}
