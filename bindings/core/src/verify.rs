//! Programs: a text and options in, a report as JSON out.

use crate::options::Options;
use catena::findings::{Checked, Standing, VerifyError};
use catena::{CancelToken, Files, Report, Verdict};
use serde_json::{Value, json};

/// Is told how far the work is: the name of a function and a few words.
pub type Progress = Box<dyn Fn(&str, &str) + Send + Sync>;

/// Ways to take part in a verification, for languages that have functions as values.
#[derive(Default)]
pub struct Ways {
    /// Stops the work from another thread.
    pub cancel: CancelToken,
    /// Is told how far the work is: the name of a function and a few words.
    pub progress: Option<Progress>,
    /// Gives the files that the text includes, in place of the options `files` and `disk`.
    pub files: Option<Box<dyn Files>>,
}

impl std::fmt::Debug for Ways {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ways").field("cancel", &self.cancel).finish_non_exhaustive()
    }
}

/// Gives files on behalf of a box.
struct Given(Box<dyn Files>);

impl Files for Given {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        self.0.read(path)
    }

    fn identity(&self, path: &str) -> String {
        self.0.identity(path)
    }
}

/// Verifies a text. The result is a JSON object: `{"report": ..., "verified": ..., "text": ...}`, or
/// `{"error": {"kind": ..., "message": ..., "diagnostics": [...]}}`.
#[must_use]
pub fn verify(source: &[u8], options: &str, ways: Ways) -> String {
    let options = match Options::read(options) {
        Ok(options) => options,
        Err(message) => return failed("options", &message, Value::Array(Vec::new())).to_string(),
    };
    let mut limits = options.limits;
    limits.cancel = Some(ways.cancel);
    let mut verifier = options.verifier.limits(limits);
    if let Some(told) = ways.progress {
        verifier = verifier.on_progress(told);
    }
    if let Some(files) = ways.files {
        verifier = verifier.files(Given(files));
    }
    let result = match verifier.verify(&options.file, source) {
        Ok(report) => shown(&report, options.pictures),
        Err(error) => wrong(&error),
    };
    result.to_string()
}

fn shown(report: &Report, pictures: bool) -> Value {
    match serde_json::to_value(report) {
        Ok(value) => json!({
            "report": if pictures { with_pictures(report, value) } else { value },
            "verified": report.is_verified(),
            "text": report.to_string(),
        }),
        Err(error) => failed("internal", &error.to_string(), Value::Array(Vec::new())),
    }
}

/// The same with a field `svg` in each state.
fn with_pictures(report: &Report, mut value: Value) -> Value {
    for (i, function) in report.functions().iter().enumerate() {
        let verdict = &mut value["functions"][i]["verdict"];
        match function.verdict() {
            Verdict::Violated(trace) => {
                verdict["violated"]["entry"]["svg"] = Value::String(trace.entry.svg());
                verdict["violated"]["end"]["svg"] = Value::String(trace.svg());
            }
            Verdict::TooWeak(weakness) => {
                if let Some(state) = &weakness.state {
                    verdict["too-weak"]["state"]["svg"] = Value::String(state.svg());
                }
            }
            _ => {}
        }
    }
    value
}

fn failed(kind: &str, message: &str, diagnostics: Value) -> Value {
    json!({ "error": { "kind": kind, "message": message, "diagnostics": diagnostics } })
}

fn wrong(error: &VerifyError) -> Value {
    let kind = match error {
        VerifyError::Rejected(_) => "rejected",
        VerifyError::Stopped(_) => "stopped",
        VerifyError::NoFunction(_) => "no-function",
        VerifyError::NoBehavior(_) => "no-behavior",
        VerifyError::Certificate(_) => "certificate",
        _ => "internal",
    };
    let found = match error {
        VerifyError::Rejected(found) => serde_json::to_value(found).unwrap_or(Value::Null),
        _ => Value::Array(Vec::new()),
    };
    failed(kind, &error.to_string(), found)
}

/// Checks a certificate of a text again. The result is `{"checked": [...]}`, or an error as of [`verify`].
#[must_use]
pub fn certify(file: &str, source: &[u8], certificate: &str) -> String {
    let entry = |checked: &Checked| {
        let standing = match checked.standing {
            Standing::Certified => "certified",
            Standing::Tested => "tested",
            Standing::Rejected => "rejected",
            _ => "missing",
        };
        json!({
            "file": checked.file,
            "function": checked.function,
            "behavior": checked.behavior,
            "standing": standing,
            "note": checked.note,
        })
    };
    let result = match catena::certify(file, source, certificate) {
        Ok(checked) => json!({ "checked": checked.iter().map(entry).collect::<Vec<Value>>() }),
        Err(error) => wrong(&error),
    };
    result.to_string()
}

#[cfg(test)]
mod tests {
    use super::{Ways, certify, verify};
    use serde_json::Value;

    const PUSH: &str = r"
        struct node { struct node *next; };
        /*@ requires \valid(e) && \list(next, l) && !(l -next*-> e); ensures \list(next, \result); @*/
        struct node *push(struct node *l, struct node *e) { e->next = l; return e; }
    ";

    fn asked(source: &str, options: &str) -> Value {
        serde_json::from_str(&verify(source.as_bytes(), options, Ways::default())).expect("JSON")
    }

    #[test]
    fn a_report_is_json() {
        let result = asked(PUSH, r#"{"file": "push.c", "certificates": true}"#);
        assert_eq!(result["verified"], true, "{result}");
        let certificate = result["report"]["functions"][0]["certificate"].as_str().expect("evidence");
        let checked: Value =
            serde_json::from_str(&certify("push.c", PUSH.as_bytes(), certificate)).expect("JSON");
        assert_eq!(checked["checked"][0]["standing"], "certified");
    }

    #[test]
    fn a_failing_run_is_json() {
        let broken = PUSH.replace("return e", "return e->next->next");
        let result = asked(&broken, "");
        assert!(result["report"]["functions"][0]["verdict"]["violated"]["end"]["svg"].is_null());
        let drawn = asked(&broken, r#"{"pictures": true}"#);
        for state in ["entry", "end"] {
            let svg = &drawn["report"]["functions"][0]["verdict"]["violated"][state]["svg"];
            assert!(svg.as_str().is_some_and(|svg| svg.starts_with("<svg ")), "{drawn}");
        }
        assert!(!result["report"]["functions"][0]["verdict"]["violated"]["end"].is_null(), "{result}");
        assert_eq!(result["verified"], false);
    }

    #[test]
    fn errors_are_json() {
        assert_eq!(asked("int f(", "")["error"]["kind"], "rejected");
        assert_eq!(asked(PUSH, r#"{"functions": ["pop"]}"#)["error"]["kind"], "no-function");
        assert_eq!(asked(PUSH, "{")["error"]["kind"], "options");
        let bad = verify(b"int x; \xff", "", Ways::default());
        assert!(bad.contains("rejected"), "{bad}");
        assert!(certify("push.c", PUSH.as_bytes(), "nonsense").contains("\"certificate\""));
    }
}
