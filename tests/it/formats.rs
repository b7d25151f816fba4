//! Every format of `catena verify` is what its readers expect: JSON by the published schema, SARIF 2.1.0, JUnit,
//! workflow commands and witnesses by their rules; hostile texts and names stay text in all of them.

use crate::root;
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

fn verify(args: &[&str]) -> (u8, String, String) {
    let args: Vec<OsString> = ["verify"].iter().chain(args).map(OsString::from).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = catena::cli::run(&args, &mut out, &mut err).expect("output is written");
    (status, String::from_utf8(out).expect("text"), String::from_utf8(err).expect("text"))
}

/// Programs of all directories: some of each, and every form of verdict.
fn programs() -> Vec<PathBuf> {
    let mut out = Vec::new();
    for directory in ["lisbq", "pdr", "bohne", "monotone", "lazy", "edges", "beyond", "competition"] {
        let files = crate::files(&root().join("tests/programs").join(directory), "c");
        out.extend(files.into_iter().step_by(9));
    }
    assert!(out.len() > 60, "{}", out.len());
    out
}

/// Checks a value against the part of JSON Schema that `docs/schema/verify.json` uses; an unknown word is a fault.
fn check(schema: &Value, root: &Value, value: &Value, at: &str) -> Result<(), String> {
    let object = schema.as_object().ok_or("a schema is an object")?;
    for (word, rule) in object {
        let right = match word.as_str() {
            "$schema" | "title" | "$defs" | "required" | "properties" | "additionalProperties" => true,
            "$ref" => {
                let name = rule.as_str().and_then(|r| r.strip_prefix("#/$defs/")).ok_or("a reference")?;
                return check(&root["$defs"][name], root, value, at);
            }
            "type" => {
                let is = |word: &Value| match word.as_str() {
                    Some("string") => value.is_string(),
                    Some("null") => value.is_null(),
                    Some("integer") => value.is_i64() || value.is_u64(),
                    Some("array") => value.is_array(),
                    Some("object") => value.is_object(),
                    other => panic!("type {other:?}"),
                };
                rule.as_array().map_or_else(|| is(rule), |words| words.iter().any(is))
            }
            "enum" => rule.as_array().is_some_and(|words| words.contains(value)),
            "minimum" => value.as_i64().is_none_or(|n| rule.as_i64().is_some_and(|least| n >= least)),
            "anyOf" => {
                let ways: Vec<_> =
                    rule.as_array().into_iter().flatten().map(|s| check(s, root, value, at)).collect();
                if ways.iter().all(Result::is_err) {
                    return Err(format!("{at}: no alternative: {ways:?}"));
                }
                true
            }
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(rule, root, item, &format!("{at}[{i}]"))?;
                }
                true
            }
            other => return Err(format!("the schema has a word `{other}` that this test does not know")),
        };
        if !right {
            return Err(format!("{at}: {word} {rule}: {value}"));
        }
    }
    let Some(fields) = value.as_object() else { return Ok(()) };
    for name in object.get("required").and_then(Value::as_array).into_iter().flatten() {
        if !fields.contains_key(name.as_str().unwrap_or_default()) {
            return Err(format!("{at}: {name} is missing"));
        }
    }
    for (name, field) in fields {
        let at = format!("{at}.{name}");
        match (schema["properties"].get(name), object.get("additionalProperties")) {
            (Some(rule), _) => check(rule, root, field, &at)?,
            (None, Some(Value::Bool(false))) => return Err(format!("{at}: it does not belong here")),
            (None, Some(rule @ Value::Object(_))) => check(rule, root, field, &at)?,
            (None, _) => {}
        }
    }
    Ok(())
}

fn schema() -> Value {
    let text = std::fs::read_to_string(root().join("docs/schema/verify.json")).expect("the schema");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn the_checker_of_schemas_can_fail() {
    let schema = schema();
    for wrong in ["{}", "[{}]", "[1]", r#"[{"file": 1}]"#] {
        let value = serde_json::from_str(wrong).expect("JSON");
        assert!(check(&schema, &schema, &value, "$").is_err(), "{wrong}");
    }
}

#[test]
fn json_is_by_the_published_schema() {
    let schema = schema();
    for path in programs() {
        let (_, out, _) = verify(&["--format", "json", "--timeout", "1", path.to_str().expect("plain")]);
        let value: Value = serde_json::from_str(&out).expect("JSON");
        check(&schema, &schema, &value, "$").unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        // States are structured: every pointer of a state leads to a cell of it.
        for state in value.as_array().into_iter().flatten().flat_map(|a| {
            a["trace"].as_array().into_iter().flatten().map(|s| &s["state"]).filter(|s| s.is_object())
        }) {
            let cells: Vec<&Value> =
                state["cells"].as_array().into_iter().flatten().map(|c| &c["name"]).collect();
            for variable in state["variables"].as_array().into_iter().flatten() {
                let cell = &variable["value"]["cell"];
                assert!(cell.is_null() || cells.contains(&cell), "{}: {variable}", path.display());
            }
        }
    }
}

/// The rules of SARIF 2.1.0 for the objects that are written: names, types, and numbers that have to fit together.
fn check_sarif(log: &Value) -> Result<usize, String> {
    let only = |value: &Value, names: &[&str], at: &str| -> Result<(), String> {
        let object = value.as_object().ok_or(format!("{at} is no object"))?;
        match object.keys().find(|k| !names.contains(&k.as_str())) {
            Some(key) => Err(format!("{at}: {key}")),
            None => Ok(()),
        }
    };
    let physical = |value: &Value, at: &str| -> Result<(), String> {
        only(value, &["artifactLocation", "region"], at)?;
        let uri = value["artifactLocation"]["uri"].as_str().ok_or(format!("{at}: uri"))?;
        let plain = |c: char| c.is_ascii_alphanumeric() || "/.-_~%:".contains(c);
        if !uri.chars().all(plain) {
            return Err(format!("{at}: {uri}"));
        }
        let number = |name: &str| value["region"][name].as_u64().filter(|n| *n > 0);
        number("startLine").and(number("startColumn")).ok_or(format!("{at}: region"))?;
        Ok(())
    };
    let text = |value: &Value, at: &str| {
        value["text"].as_str().filter(|t| !t.is_empty()).map(|_| ()).ok_or(format!("{at}: message"))
    };
    only(log, &["$schema", "version", "runs"], "log")?;
    if log["version"] != "2.1.0" {
        return Err("version".to_owned());
    }
    let [run] = log["runs"].as_array().map_or(&[][..], Vec::as_slice) else { return Err("runs".to_owned()) };
    only(run, &["tool", "columnKind", "results"], "run")?;
    let driver = &run["tool"]["driver"];
    let rules = driver["rules"].as_array().ok_or("rules")?;
    let results = run["results"].as_array().ok_or("results")?;
    let known = [
        "ruleId",
        "ruleIndex",
        "level",
        "message",
        "locations",
        "properties",
        "relatedLocations",
        "codeFlows",
    ];
    for result in results {
        only(result, &known, "result")?;
        let rule = result["ruleIndex"].as_u64().and_then(|i| rules.get(i as usize)).ok_or("ruleIndex")?;
        if rule["id"] != result["ruleId"]
            || !["error", "warning"].contains(&result["level"].as_str().unwrap_or(""))
        {
            return Err(format!("{result}"));
        }
        text(&result["message"], "result")?;
        for location in result["locations"].as_array().ok_or("locations")? {
            physical(&location["physicalLocation"], "location")?;
        }
        for related in result["relatedLocations"].as_array().into_iter().flatten() {
            physical(&related["physicalLocation"], "related")?;
            text(&related["message"], "related")?;
        }
        let violated = result["properties"]["verdict"] == "violated";
        if violated != result["codeFlows"].is_array() {
            return Err("a violation has a code flow".to_owned());
        }
        for flow in result["codeFlows"].as_array().into_iter().flatten() {
            let steps = flow["threadFlows"][0]["locations"].as_array().filter(|l| !l.is_empty());
            for step in steps.ok_or("an empty code flow")? {
                physical(&step["location"]["physicalLocation"], "step")?;
                step["location"]["message"]["text"].as_str().ok_or("a step without text")?;
            }
        }
    }
    Ok(results.len())
}

#[test]
fn sarif_is_by_its_rules() {
    let mut results = 0;
    for path in programs() {
        let (_, out, _) = verify(&["--format", "sarif", "--timeout", "1", path.to_str().expect("plain")]);
        let log: Value = serde_json::from_str(&out).expect("JSON");
        results += check_sarif(&log).unwrap_or_else(|why| panic!("{}: {why}\n{out}", path.display()));
    }
    assert!(results > 20, "{results}");
}

/// The elements of a document of XML, if it is well formed.
fn elements(text: &str) -> Option<Vec<String>> {
    let (mut open, mut seen, mut rest) =
        (Vec::new(), Vec::new(), text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")?);
    while let Some(at) = rest.find('<') {
        let is_right = |text: &str| {
            !text.contains('>')
                && text.match_indices('&').all(|(i, _)| {
                    ["&amp;", "&lt;", "&gt;", "&quot;", "&#10;", "&#9;"]
                        .iter()
                        .any(|e| text[i..].starts_with(e))
                })
                && !text.contains(|c: char| c.is_control() && c != '\n' && c != '\t')
        };
        if !is_right(&rest[..at]) {
            return None;
        }
        let end = at + rest[at..].find('>')?;
        let tag = &rest[at + 1..end];
        if !is_right(tag) || tag.contains('<') {
            return None;
        }
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop()? != name {
                return None;
            }
        } else {
            let name = tag.split([' ', '/']).next()?.to_owned();
            if tag.matches('"').count() % 2 != 0 {
                return None;
            }
            seen.push(name.clone());
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        rest = &rest[end + 1..];
    }
    (open.is_empty() && rest.trim().is_empty()).then_some(seen)
}

#[test]
fn junit_is_well_formed_and_counts_what_fails() {
    assert_eq!(elements("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a><b></a>"), None);
    for path in programs() {
        let path = path.to_str().expect("plain");
        let (_, out, _) = verify(&["--format", "junit", "--timeout", "1", path]);
        let seen = elements(&out).unwrap_or_else(|| panic!("{path}: {out}"));
        let count = |name: &str| seen.iter().filter(|s| *s == name).count();
        let number = |name: &str| {
            let at = out.find(&format!(" {name}=\"")).expect("a number") + name.len() + 3;
            out[at..].split('"').next().and_then(|n| n.parse::<usize>().ok()).expect("a number")
        };
        assert_eq!(count("testcase"), number("tests"), "{out}");
        assert_eq!(count("failure"), number("failures"), "{out}");
        assert_eq!(count("error"), number("errors"), "{out}");
    }
}

/// By default a violated function has at most 25 lines, a verified one has one, and no invented name is shown.
#[test]
fn text_is_short() {
    for path in programs() {
        let path = path.to_str().expect("plain");
        let (_, out, _) = verify(&["--timeout", "1", path]);
        let is_head = |line: &str| {
            ["verified", "violated", "too-weak", "unknown"].iter().any(|w| line.contains(&format!(": {w} (")))
                && !line.starts_with(' ')
        };
        let lines: Vec<&str> = out.lines().collect();
        let heads: Vec<usize> = (0..lines.len()).filter(|i| is_head(lines[*i])).collect();
        for (k, head) in heads.iter().enumerate() {
            let end = heads.get(k + 1).copied().unwrap_or(lines.len());
            let body = lines[head + 1..end].iter().filter(|l| l.starts_with("    ")).count();
            if lines[*head].contains(": verified (") {
                assert_eq!(body, 0, "{out}");
            }
            if lines[*head].contains(": violated (") {
                assert!(body < 25, "{path}: {body}\n{out}");
                let shown = lines[head + 1..end].join("\n");
                let numbered = shown.match_indices('#').any(|(i, _)| {
                    shown[..i].ends_with(|c: char| c.is_alphanumeric() || c == '_')
                        && shown[i + 1..].starts_with(|c: char| c.is_ascii_digit())
                });
                assert!(!numbered && !shown.contains(".tag"), "{path}\n{out}");
            }
        }
    }
}

/// Names and comments that try to be something else stay text in every format.
#[test]
fn hostile_texts_stay_text() {
    let directory = std::env::temp_dir().join(format!("catena-hostile-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let evil = "\u{1b}[31m<script>alert(1)</script>\u{202e}&\"'%";
    let file = directory.join(format!("{}.c", evil.replace('/', "|")));
    let text = format!(
        "struct node {{ int k; struct node *next; }};\n/*@ requires \\list(next, l); @*/\nint f(struct node *l) {{ return l->k; /* {evil}\r::error::x */ }}\n"
    );
    std::fs::write(&file, &text).expect("written");
    let name = file.to_str().expect("text");
    let witness = directory.join("w.yml");
    for format in ["text", "json", "sarif", "github", "junit"] {
        let args = ["--format", format, "--witness", witness.to_str().expect("text"), name];
        let (status, out, err) = verify(&args);
        assert_eq!(status, 1, "{format}: {out}{err}");
        let yaml = std::fs::read_to_string(&witness).expect("a witness");
        for (what, text) in [("out", &out), ("err", &err), ("witness", &yaml)] {
            let bad = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}';
            assert!(!text.contains(bad), "{format} {what}: {text:?}");
        }
        match format {
            "json" | "sarif" => drop(serde_json::from_str::<Value>(&out).expect("JSON")),
            "junit" => assert!(elements(&out).is_some() && !out.contains("<script"), "{out}"),
            "github" => {
                assert_eq!(out.lines().count(), 1, "{out}");
                assert!(out.starts_with("::error file="), "{out}");
            }
            _ => assert!(out.contains("\\u{1b}[31m"), "{out}"),
        }
    }
    std::fs::remove_dir_all(&directory).expect("removed");
}

/// What cannot be written is said; verdicts and status stay.
#[test]
fn files_that_cannot_be_written() {
    let program = root().join("tests/programs/lisbq/reverse_acyclic-cycle.c");
    let program = program.to_str().expect("plain");
    let below = format!("{program}/below");
    for (option, path) in [("--witness", below.as_str()), ("--replay", &below), ("--witness", "/dev/full")] {
        if path == "/dev/full" && !Path::new(path).exists() {
            continue;
        }
        let (status, out, err) = verify(&[option, path, program]);
        assert_eq!(status, 1, "{out}{err}");
        assert!(out.contains("reverse_acyclic: violated (") && err.contains(path), "{out}{err}");
    }
}

/// Witnesses have the entries and words of format 2.0.
#[test]
fn witnesses_have_the_form_of_the_exchange_format() {
    let directory = std::env::temp_dir().join(format!("catena-witness-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let out = directory.join("w.yml");
    let mut kinds = [0, 0];
    for path in programs() {
        let _ = std::fs::remove_file(&out);
        let arguments = [
            "-q",
            "--timeout",
            "1",
            "--witness",
            out.to_str().expect("plain"),
            path.to_str().expect("plain"),
        ];
        let (_, answers, err) = verify(&arguments);
        let Ok(text) = std::fs::read_to_string(&out) else {
            assert!(err.contains("no witness") || answers.is_empty(), "{answers}{err}");
            continue;
        };
        let has = |part: &str| assert!(text.contains(part), "{part}: {text}");
        [
            "format_version: \"2.0\"",
            "uuid: \"",
            "creation_time: \"20",
            "producer:",
            "input_files:",
            "input_file_hashes:",
            "specification: \"CHECK( init(main()), LTL(",
            "data_model: \"",
            "language: \"C\"",
        ]
        .into_iter()
        .for_each(has);
        if text.starts_with("- entry_type: \"violation_sequence\"") {
            kinds[0] += 1;
            assert_eq!(text.matches("type: \"target\"").count(), 1, "{text}");
            assert!(text.trim_end().ends_with('}'), "{text}");
        } else {
            kinds[1] += 1;
            assert!(text.starts_with("- entry_type: \"invariant_set\""), "{text}");
        }
    }
    assert!(kinds.iter().all(|n| *n > 10), "{kinds:?}");
    std::fs::remove_dir_all(&directory).expect("removed");
}
