//! What a client can set: options, the logic, infos.

use super::{Answered, Dialogue, Response, quoted};
use crate::engine::solver::Config;
use crate::frontend::smtlib::error::ReadError;
use crate::frontend::smtlib::sexpr::{Kind, NodeId, Tree};
use crate::frontend::smtlib::status::status;
use crate::util::limits::Limits;
use std::time::Duration;

/// What holds for a dialogue from outside, whatever the client sets.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Limits of each check; options of the client can only make them tighter.
    pub limits: Limits,
    /// Keep proofs even if the client does not ask for them.
    pub proofs: bool,
    /// Make cores even if the client does not ask for them.
    pub cores: bool,
}

/// Names of logics that are covered as a whole or in part; outside the part the answer is `unknown`.
pub const LOGICS: &[&str] = &[
    "ALL",
    "HEAP",
    "QF_UF",
    "QF_LIA",
    "QF_IDL",
    "QF_UFLIA",
    "QF_UFIDL",
    "QF_SHLS",
    "QF_SHLID",
    "SHLS",
    "SHLID",
    "QF_SHID",
    "SHID",
    "QF_SHIDLIA",
    "SHIDLIA",
    "QF_SHLIDLIA",
    "UF",
    "LIA",
    "IDL",
    "UFLIA",
    "UFIDL",
];

#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) print_success: bool,
    pub(super) produce_models: bool,
    pub(super) produce_assignments: bool,
    pub(super) produce_assertions: bool,
    pub(super) produce_unsat_cores: bool,
    pub(super) produce_unsat_assumptions: bool,
    pub(super) produce_proofs: bool,
    /// Interpolants can be had anyway.
    produce_interpolants: bool,
    global_declarations: bool,
    random_seed: u64,
    /// Steps; 0 is no limit.
    resource_limit: u64,
    /// Milliseconds; 0 is no limit.
    timeout: u64,
    verbosity: u64,
    diagnostic_channel: String,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            print_success: false,
            // Models, assignments and assertions cost nothing, so they can be had unless refused.
            produce_models: true,
            produce_assignments: true,
            produce_assertions: true,
            produce_unsat_cores: false,
            produce_unsat_assumptions: true,
            produce_proofs: false,
            produce_interpolants: true,
            global_declarations: false,
            random_seed: 0,
            resource_limit: 0,
            timeout: 0,
            verbosity: 0,
            diagnostic_channel: "stderr".to_owned(),
        }
    }
}

impl Options {
    pub(super) fn config(&self, settings: &Settings, judged: bool) -> Config {
        Config { proofs: self.produce_proofs || settings.proofs || judged, ..Config::default() }
    }

    /// Whether named assertions are told apart in refutations.
    pub(super) fn cores(&self, settings: &Settings) -> bool {
        self.produce_unsat_cores || settings.cores
    }

    pub(super) fn limits(&self, settings: &Settings) -> Limits {
        let mut limits = settings.limits.clone();
        if self.resource_limit > 0 {
            limits.steps = Some(limits.steps.map_or(self.resource_limit, |s| s.min(self.resource_limit)));
        }
        if self.timeout > 0 {
            let time = Duration::from_millis(self.timeout);
            limits.time = Some(limits.time.map_or(time, |t| t.min(time)));
        }
        limits
    }

    fn switch(&mut self, key: &str) -> Option<&mut bool> {
        Some(match key {
            ":print-success" => &mut self.print_success,
            ":produce-models" => &mut self.produce_models,
            ":produce-assignments" => &mut self.produce_assignments,
            ":produce-assertions" | ":interactive-mode" => &mut self.produce_assertions,
            ":produce-unsat-cores" => &mut self.produce_unsat_cores,
            ":produce-unsat-assumptions" => &mut self.produce_unsat_assumptions,
            ":produce-proofs" => &mut self.produce_proofs,
            ":produce-interpolants" => &mut self.produce_interpolants,
            ":global-declarations" => &mut self.global_declarations,
            _ => return None,
        })
    }

    fn numeral(&mut self, key: &str) -> Option<&mut u64> {
        Some(match key {
            ":random-seed" => &mut self.random_seed,
            ":reproducible-resource-limit" => &mut self.resource_limit,
            ":timeout" => &mut self.timeout,
            ":verbosity" => &mut self.verbosity,
            _ => return None,
        })
    }
}

/// `(set-logic name)`: the solver does the same in every logic; a logic it does not have is refused.
pub(super) fn set_logic(tree: &Tree<'_>) -> Answered {
    let [_, logic] = tree.exactly(Tree::ROOT, "(set-logic name)")?;
    let name = tree.expect_symbol(logic, "the name of a logic")?;
    Ok(if LOGICS.contains(&name) { Response::Success } else { Response::Unsupported })
}

/// `(set-info :key value)`: noted by nobody, but `:status` must be well formed.
pub(super) fn set_info(tree: &Tree<'_>) -> Answered {
    status(tree)?;
    Ok(Response::Success)
}

fn keyword<'a>(tree: &Tree<'a>, node: NodeId) -> Result<&'a str, ReadError> {
    if tree.kind(node) == Kind::Keyword { Ok(tree.text(node)) } else { Err(tree.expected(node, "a keyword")) }
}

impl Dialogue {
    pub(super) fn set_option(&mut self, tree: &Tree<'_>) -> Answered {
        let children: Vec<NodeId> = tree.children(Tree::ROOT).collect();
        let [_, key, ref value @ ..] = children[..] else {
            return Err(tree.expected(Tree::ROOT, "(set-option :key value)"));
        };
        let name = keyword(tree, key)?;
        let &[value] = value else {
            let found = format!("{} values", value.len());
            return Err(ReadError::expected(tree.at(key), &format!("one value for {name}"), found));
        };
        if let Some(switch) = self.options.switch(name) {
            *switch = match tree.symbol(value) {
                Some("true") => true,
                Some("false") => false,
                _ => return Err(tree.expected(value, "true or false")),
            };
            self.stack.global_declarations = self.options.global_declarations;
            return Ok(Response::Success);
        }
        if let Some(number) = self.options.numeral(name) {
            if tree.kind(value) != Kind::Numeral {
                return Err(tree.expected(value, "a numeral"));
            }
            // Whoever asks for more than 64 bits of anything gets what there is.
            *number = tree.text(value).parse().unwrap_or(u64::MAX);
            return Ok(Response::Success);
        }
        match name {
            ":regular-output-channel" | ":diagnostic-output-channel" => {
                if tree.kind(value) != Kind::String {
                    return Err(tree.expected(value, "a string"));
                }
                match (name, tree.text(value)) {
                    (":regular-output-channel", "stdout") => Ok(Response::Success),
                    (":diagnostic-output-channel", channel @ ("stdout" | "stderr")) => {
                        self.options.diagnostic_channel = channel.to_owned();
                        Ok(Response::Success)
                    }
                    _ => Ok(Response::Unsupported),
                }
            }
            _ => Ok(Response::Unsupported),
        }
    }

    pub(super) fn get_option(&mut self, tree: &Tree<'_>) -> Answered {
        let [_, key] = tree.exactly(Tree::ROOT, "(get-option :key)")?;
        let name = keyword(tree, key)?;
        if let Some(switch) = self.options.switch(name) {
            return Ok(Response::text(switch.to_string()));
        }
        if let Some(number) = self.options.numeral(name) {
            return Ok(Response::text(number.to_string()));
        }
        Ok(match name {
            ":regular-output-channel" => Response::text("\"stdout\""),
            ":diagnostic-output-channel" => Response::text(quoted(&self.options.diagnostic_channel)),
            _ => Response::Unsupported,
        })
    }

    pub(super) fn get_info(&mut self, tree: &Tree<'_>) -> Answered {
        let [_, key] = tree.exactly(Tree::ROOT, "(get-info :key)")?;
        Ok(match keyword(tree, key)? {
            ":name" => Response::text("(:name \"catena\")"),
            ":version" => Response::text(format!("(:version {})", quoted(env!("CARGO_PKG_VERSION")))),
            ":authors" => Response::text("(:authors \"the authors of Catena\")"),
            ":error-behavior" => Response::text("(:error-behavior continued-execution)"),
            ":reason-unknown" => match &self.reason_unknown {
                Some(reason) => Response::text(format!("(:reason-unknown {reason})")),
                None => {
                    return Err(ReadError::new(
                        tree.at(key),
                        ":reason-unknown: the last check did not answer unknown",
                    ));
                }
            },
            ":assertion-stack-levels" => {
                Response::text(format!("(:assertion-stack-levels {})", self.stack.n_levels()))
            }
            ":all-statistics" => Response::text(self.statistics()),
            _ => Response::Unsupported,
        })
    }
}
