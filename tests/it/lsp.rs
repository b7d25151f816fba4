//! `catena lsp`, driven by a client that follows a script.

use super::files::Project;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Nothing that is waited for takes longer, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

struct Client {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    /// What came while something else was waited for.
    waiting: Vec<Value>,
    next: i64,
}

impl Client {
    /// A client whose server was not greeted yet.
    fn start(options: &[&str]) -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_catena"));
        command.arg("lsp").args(options).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("it runs");
        let (input, output) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let (send, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut length = 0;
                loop {
                    let mut line = String::new();
                    if output.read_line(&mut line).unwrap_or(0) == 0 {
                        return;
                    }
                    match line.trim_end().strip_prefix("Content-Length: ") {
                        Some(n) => length = n.parse().expect("a number"),
                        None => break,
                    }
                }
                let mut body = vec![0; length];
                output.read_exact(&mut body).expect("a whole message");
                let _ = send.send(serde_json::from_slice(&body).expect("JSON"));
            }
        });
        Client { child, input, messages, waiting: Vec::new(), next: 0 }
    }

    /// A client whose server was greeted.
    fn new(options: &[&str]) -> Client {
        let mut client = Client::start(options);
        let capabilities = json!({
            "textDocument": { "publishDiagnostics": { "relatedInformation": true } },
            "workspace": { "codeLens": { "refreshSupport": true } },
        });
        let greeted =
            client.request("initialize", json!({ "processId": null, "capabilities": capabilities }));
        assert_eq!(greeted["result"]["capabilities"]["positionEncoding"], "utf-16");
        client.notify("initialized", json!({}));
        client
    }

    fn raw(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).expect("the server reads");
        self.input.flush().expect("the server reads");
    }

    fn body(&mut self, text: &str) {
        self.raw(&format!("Content-Length: {}\r\n\r\n{text}", text.len()));
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.body(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    /// Sends a request; its number.
    fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let text = json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params });
        self.body(&text.to_string());
        self.next
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.wait(|message| message["id"] == id && message["method"].is_null())
    }

    /// The first message that is wanted; others are kept.
    fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.waiting.iter().position(&wanted) {
            return self.waiting.remove(at);
        }
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let message = self.messages.recv_timeout(left).unwrap_or_else(|_| panic!("{:?}", self.waiting));
            if wanted(&message) {
                return message;
            }
            self.waiting.push(message);
        }
    }

    fn open(&mut self, uri: &str, version: i64, text: &str) -> (Value, String) {
        let document = json!({ "uri": uri, "languageId": "c", "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
        self.verified(uri, version)
    }

    fn change(&mut self, uri: &str, version: i64, changes: Value) {
        let params = json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": changes });
        self.notify("textDocument/didChange", params);
    }

    /// The last diagnostics of a version of a document, and how many answers were known and found.
    fn verified(&mut self, uri: &str, version: i64) -> (Value, String) {
        let mut found = Value::Null;
        loop {
            let message = self.wait(|m| {
                m["method"] == "textDocument/publishDiagnostics" && m["params"]["uri"] == uri
                    || m["method"] == "window/logMessage"
            });
            if message["method"] == "textDocument/publishDiagnostics" {
                found = message["params"].clone();
                continue;
            }
            let text = message["params"]["message"].as_str().unwrap_or_default();
            if let (Some(counts), true) =
                (text.strip_prefix(&format!("{uri}: ")), found["version"] == version)
            {
                return (found["diagnostics"].clone(), counts.to_owned());
            }
        }
    }

    fn lenses(&mut self, uri: &str) -> Vec<String> {
        let found = self.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
        let lenses = found["result"].as_array().expect("code lenses");
        lenses.iter().map(|l| l["command"]["title"].as_str().expect("a title").to_owned()).collect()
    }

    fn actions(&mut self, uri: &str, line: u32) -> Vec<Value> {
        let at = json!({ "line": line, "character": 0 });
        let params = json!({
            "textDocument": { "uri": uri },
            "range": { "start": at, "end": at },
            "context": { "diagnostics": [], "only": ["quickfix"] },
        });
        self.request("textDocument/codeAction", params)["result"].as_array().expect("actions").clone()
    }

    /// Ends the server as clients do; its status.
    fn end(mut self) -> i32 {
        assert_eq!(self.request("shutdown", Value::Null)["result"], Value::Null);
        let refused = self.request("textDocument/codeLens", json!({}));
        assert_eq!(refused["error"]["code"], -32600, "{refused}");
        self.notify("exit", Value::Null);
        self.status()
    }

    fn status(&mut self) -> i32 {
        self.child.wait().expect("it ends").code().expect("a status")
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Where a test has failed, its server is still there.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn edit(line: u32, from: u32, to: u32, text: &str) -> Value {
    let at = |character: u32| json!({ "line": line, "character": character });
    json!([{ "range": { "start": at(from), "end": at(to) }, "text": text }])
}

const URI: &str = "file:///nowhere/list%20%C3%A9.c";
const LIST: &str = "struct node { int data; struct node *next; };
/*@ requires \\valid(e) && \\list(next, l) && !(l -next*-> e); ensures \\list(next, \\result); @*/
struct node *push(struct node *l, struct node *e) { e->next = l; return e; }
/*@ requires \\list(next, l); @*/
/* \u{1d11e}\u{e9} */ struct node *second(struct node *l) { return l->next; }
";

#[test]
fn a_failing_run_is_shown_where_it_fails() {
    let mut client = Client::new(&["--pause", "0.05"]);
    let (found, counts) = client.open(URI, 1, LIST);
    assert_eq!(counts, "0 known, 2 decided");
    let [one] = found.as_array().expect("diagnostics").as_slice() else { panic!("{found}") };
    assert_eq!(
        (&one["severity"], &one["code"], &one["source"]),
        (&json!(1), &json!("memsafety"), &json!("catena"))
    );
    assert_eq!(one["message"], "second: violated: null dereference through `l`");
    // The sign of a clef is two units of UTF-16.
    let start = "/* xx\u{e9} */ struct node *second(struct node *l) { return ".chars().count();
    assert_eq!(one["range"]["start"], json!({ "line": 4, "character": start }));
    let related: Vec<&Value> = one["relatedInformation"].as_array().expect("a run").iter().collect();
    assert_eq!(related[0]["message"], "at entry: l = NULL");
    assert_eq!(related[0]["location"]["uri"], URI);
    assert_eq!(related[1]["message"], "fails");
    assert_eq!(related[1]["location"]["range"]["start"]["line"], 4);
    assert_eq!(client.lenses(URI), ["verified (vc)", "violated: null dereference through `l`"]);
    client.wait(|m| m["method"] == "workspace/codeLens/refresh");
    assert_eq!(client.end(), 0);
}

#[test]
fn what_changed_is_verified_again_and_nothing_else() {
    let mut client = Client::new(&["--pause", "0.05"]);
    client.open(URI, 1, LIST);
    let start =
        LIST.lines().nth(4).expect("a line").encode_utf16().count() as u32 - "return l->next; }".len() as u32;
    client.change(URI, 2, edit(4, start + 7, start + 14, "l ? l->next : 0"));
    let (found, counts) = client.verified(URI, 2);
    assert_eq!((found, counts.as_str()), (json!([]), "1 known, 1 decided"));
    assert_eq!(client.lenses(URI), ["verified (vc)", "verified (vc)"]);
    // What was known before is known again; saving changes nothing.
    client.change(URI, 3, json!([{ "text": format!("\n\n{LIST}") }]));
    let (found, counts) = client.verified(URI, 3);
    assert_eq!(
        (found[0]["range"]["start"]["line"].as_u64(), counts.as_str()),
        (Some(6), "2 known, 0 decided")
    );
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(client.verified(URI, 3).1, "2 known, 0 decided");
    // A text that is wrong, and right again.
    client.change(URI, 4, json!([{ "text": "int f( {" }]));
    let (found, _) = client.verified(URI, 4);
    assert_eq!(
        (found[0]["severity"].as_u64(), found[0]["range"]["start"]["line"].as_u64()),
        (Some(1), Some(0))
    );
    assert_eq!(client.lenses(URI), Vec::<String>::new());
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    let closed =
        client.wait(|m| m["method"] == "textDocument/publishDiagnostics" && m["params"]["version"].is_null());
    assert_eq!(closed["params"]["diagnostics"], json!([]));
    assert_eq!(client.end(), 0);
}

/// Carries out an edit of one document.
fn carried_out(text: &str, edit: &Value) -> String {
    let at = |position: &Value| {
        let line = position["line"].as_u64().expect("a line") as usize;
        let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        before + position["character"].as_u64().expect("a character") as usize
    };
    let (start, end) = (at(&edit["range"]["start"]), at(&edit["range"]["end"]));
    format!("{}{}{}", &text[..start], edit["newText"].as_str().expect("a text"), &text[end..])
}

#[test]
fn a_contract_is_found_and_written() {
    let text =
        "struct node { struct node *next; };\n\n  struct node *second(struct node *l) { return l->next; }\n";
    let mut client = Client::new(&["--pause", "0.05"]);
    let uri = "file:///nowhere/second.c";
    assert_eq!(client.open(uri, 1, text).0, json!([]));
    assert_eq!(client.actions(uri, 0), Vec::<Value>::new());
    let [action] = &client.actions(uri, 2)[..] else { panic!("one action") };
    assert_eq!(
        (&action["kind"], &action["title"]),
        (&json!("quickfix"), &json!("Infer a contract for `second`"))
    );
    let command = &action["command"];
    let asked = json!({ "command": command["command"], "arguments": command["arguments"] });
    let id = client.ask("workspace/executeCommand", asked);
    let applied = client.wait(|m| m["method"] == "workspace/applyEdit");
    client.body(&json!({ "jsonrpc": "2.0", "id": applied["id"], "result": { "applied": true } }).to_string());
    assert_eq!(client.wait(|m| m["id"] == id)["result"], Value::Null);
    let text = carried_out(text, &applied["params"]["edit"]["changes"][uri][0]);
    assert!(text.contains("/*@ requires \\valid(l);") && text.ends_with("{ return l->next; }\n"), "{text}");
    client.change(uri, 2, json!([{ "text": text }]));
    assert_eq!(client.verified(uri, 2).0, json!([]));
    assert_eq!(client.lenses(uri), ["verified (vc)"]);
    assert_eq!(client.actions(uri, 2), Vec::<Value>::new());
    // Where there is none, that is said.
    let never = "void never(void) { int *p = 0; *p = 1; }\n";
    client.change(uri, 3, json!([{ "text": never }]));
    client.verified(uri, 3);
    let id = client
        .ask("workspace/executeCommand", json!({ "command": "catena.infer", "arguments": [uri, "never"] }));
    let said = client.wait(|m| m["method"] == "window/showMessage");
    assert_eq!(said["params"]["message"], "`never` fails whenever it is called");
    client.wait(|m| m["id"] == id);
    assert_eq!(client.end(), 0);
}

#[test]
fn an_invariant_is_found_and_written() {
    let text = "struct node { struct node *next; };
/*@ requires \\list(next, l) && l != NULL; ensures \\list(next, \\result); @*/
struct node *last(struct node *l)
{
    struct node *c = l;
    while (c->next)
        c = c->next;
    return c;
}
";
    let mut client = Client::new(&["--pause", "0.05"]);
    let uri = "file:///nowhere/last.c";
    assert_eq!(client.open(uri, 1, text).0, json!([]));
    let [title] = &client.lenses(uri)[..] else { panic!("one function") };
    assert!(title.starts_with("verified (") && title != "verified (vc)", "{title}");
    let [action] = &client.actions(uri, 5)[..] else { panic!("one action") };
    let text = carried_out(text, &action["edit"]["changes"][uri][0]);
    assert!(text.contains("    /*@ loop invariant ") && text.contains(" @*/\n    while"), "{text}");
    client.change(uri, 2, json!([{ "text": text }]));
    assert_eq!(client.verified(uri, 2).0, json!([]), "{text}");
    assert_eq!(client.lenses(uri), ["verified (vc)"], "{text}");
    assert_eq!(client.end(), 0);
}

#[test]
fn work_on_an_old_text_is_given_up() {
    let slow = include_str!("../programs/beyond/pdr_main_same_length.c");
    let mut client = Client::new(&["--pause", "0.01", "--timeout", "100"]);
    let uri = "file:///nowhere/slow.c";
    let document = json!({ "uri": uri, "languageId": "c", "version": 1, "text": slow });
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    std::thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    client.change(
        uri,
        2,
        json!([{ "text": "/*@ ensures \\result == 1; @*/ int one(void) { return 1; }\n" }]),
    );
    assert_eq!(client.verified(uri, 2).0, json!([]));
    assert!(start.elapsed() < Duration::from_secs(60));
    assert_eq!(client.end(), 0);
}

#[test]
fn headers_are_read_as_they_are_edited() {
    let header = "struct c { int n; };
/*@ requires \\valid(p); assigns p->n; ensures p->n == 1; @*/ void one(struct c *p);\n";
    let text = "#include \"one.h\"
/*@ requires \\valid(p); ensures p->n == 1; @*/ void two(struct c *p) { one(p); }
void one(struct c *p) { p->n = 1; }\n";
    let p = Project::new("lsp", &[("one.h", header), ("two.c", text)]);
    let uri = |name: &str| format!("file://{}/{name}", p.0.display());
    let (one, two) = (uri("one.h"), uri("two.c"));
    let mut client = Client::new(&["--pause", "0.05"]);
    assert_eq!(client.open(&two, 1, text).0, json!([]));
    client.open(&one, 1, &header.replace("== 1", "== 2"));
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": one } }));
    let found = client.verified(&two, 1).0;
    // The caller relies on the new contract, which the body does not keep.
    assert_eq!(found.as_array().map(Vec::len), Some(2), "{found}");
    // What is wrong in a header stands at its `#include`.
    client.change(&one, 2, json!([{ "text": "int wrong wrong;\n" }]));
    client.verified(&one, 2);
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": one } }));
    let found = client.verified(&two, 1).0;
    assert_eq!(found[0]["range"]["start"], json!({ "line": 0, "character": 9 }), "{found}");
    assert!(found[0]["message"].as_str().is_some_and(|m| m.contains("one.h:1:")), "{found}");
    assert_eq!(client.end(), 0);
}

#[test]
fn messages_that_make_no_sense_are_answered() {
    let mut client = Client::start(&[]);
    assert_eq!(client.request("textDocument/codeLens", json!({}))["error"]["code"], -32002);
    client.notify("textDocument/didOpen", json!({}));
    client.request("initialize", json!(null));
    assert_eq!(client.request("initialize", json!({}))["error"]["code"], -32600);
    for (body, code) in [
        ("{", -32700),
        ("\u{0}", -32700),
        ("[]", -32600),
        ("{}", -32600),
        ("{\"id\": {}, \"method\": \"x\"}", -32600),
        ("{\"method\": 1}", -32600),
    ] {
        client.body(body);
        let answer = client.wait(|m| m["id"].is_null() && !m["error"].is_null());
        assert_eq!(answer["error"]["code"], code, "{body}");
    }
    for (method, params, code) in [
        ("no/such/method", json!({}), -32601),
        ("textDocument/codeLens", json!(1), -32602),
        ("textDocument/codeAction", json!({ "textDocument": { "uri": "x" } }), -32602),
        (
            "textDocument/codeAction",
            json!({ "textDocument": { "uri": "x" }, "range": { "start": { "line": -1 } } }),
            -32602,
        ),
        ("workspace/executeCommand", json!({}), -32602),
        ("workspace/executeCommand", json!({ "command": "rm" }), -32602),
        ("workspace/executeCommand", json!({ "command": "catena.infer", "arguments": ["x", "y"] }), -32602),
    ] {
        assert_eq!(client.request(method, params.clone())["error"]["code"], code, "{method} {params}");
    }
    client.body("{\"id\": 77, \"result\": null}");
    let document = json!({ "textDocument": { "uri": "untitled:1" } });
    for (method, params) in [
        ("textDocument/didOpen", document.clone()),
        ("textDocument/didChange", document.clone()),
        ("textDocument/didOpen", json!({ "textDocument": { "uri": "untitled:1", "text": "int x;\n" } })),
        ("textDocument/didChange", document.clone()),
        (
            "textDocument/didChange",
            json!({ "textDocument": { "uri": "untitled:1" }, "contentChanges": [{ "range": {}, "text": "" }] }),
        ),
        ("textDocument/didSave", document.clone()),
        ("textDocument/didClose", document.clone()),
        ("textDocument/didClose", document),
        ("$/cancelRequest", json!({ "id": 1 })),
        ("$/cancelRequest", json!(null)),
        ("no/such/notification", json!([1])),
    ] {
        client.notify(method, params);
    }
    assert_eq!(client.end(), 0);
}

#[test]
fn a_client_that_goes_away_ends_the_server() {
    let mut client = Client::new(&[]);
    client.notify("exit", Value::Null);
    assert_eq!(client.status(), 1);
    let mut client = Client::new(&[]);
    client.raw("nonsense\r\n\r\n");
    assert_eq!(client.wait(|m| !m["error"].is_null())["error"]["code"], -32700);
    assert_eq!(client.status(), 1);
}

#[test]
fn the_server_explains_itself() {
    let args = ["lsp", "--help"].map(std::ffi::OsString::from);
    let mut out = Vec::new();
    assert_eq!(catena::cli::run(&args, &mut out, &mut Vec::new()).expect("output is written"), 0);
    let out = String::from_utf8(out).expect("text");
    assert!(
        out.contains("Usage: catena lsp") && out.lines().all(|line| line.chars().count() <= 140),
        "{out}"
    );
}
