//! Everything that can be hammered, under a name: the torture example, the property tests and the fuzz
//! targets all run cases of these kinds. A case is a function of its kind and its seed.

use crate::testing::formulas::{
    self, AcyclicReach, Epr, Generate, GroundReach, LinearInts, Lisbq, Mixed, Shape,
};
use crate::testing::metamorphic::agree;
use crate::testing::oracle::{self, Complaint, Effort, Verdict, check_problem, fresh, guarded};
use crate::testing::replay::{replay, shrink_trace};
use crate::testing::sep::generate::{Style, generate};
use crate::testing::sep::inductive::{self, Fields};
use crate::testing::{
    Problem, Trace, as_test, compiled, contracts, cplain, csums, ctexts, ctrees, ends, inferred,
    interpolants, plain, pointers, proofs, regions, sep, texts, whole,
};
use crate::util::rng::Rng;

/// A kind of case.
pub struct Kind {
    /// Its name on the command line.
    pub name: &'static str,
    body: Body,
}

enum Body {
    /// Problems of a generator.
    Formulas(Box<dyn Generate>, Effort),
    /// Acyclic lists as LISBQ and as EPR.
    AcyclicPair,
    Trace,
    RuleText,
    SmtlibText,
    TraceText,
    Bytes,
    ProofMutation,
    /// Separation logic; how many heaps are tried after an `unsat`.
    Sep(Style, u64),
    /// Separation logic with random definitions; how many heaps are tried after an `unsat`.
    Inductive(Fields, u64),
    /// Pointer programs, for the engine `monotone`.
    Monotone,
    /// Pointer programs, for the engine `pdr`.
    Pdr,
    /// Whole programs, for the engine `lazy`.
    Lazy,
    /// Whole programs with several structures, for the parts of programs.
    Parts,
    /// Functions with contracts, for all engines but `lazy`.
    Contracts,
    /// Partitions of assertions, for `get-interpolants`.
    Interpolants,
    /// Programs that end in every way, for the properties of the competition.
    Ends,
    /// Random C programs, in the interpreter and compiled by the system's C compiler.
    Compiled,
    /// Small C programs about texts and blocks, decided by the engines and compiled.
    PlainCells,
    /// Programs about lists, on paths that are exact and on paths that are summed up.
    Sums,
    Trees,
    /// Texts that are nearly C, for the reader of C.
    CText,
    /// Whole programs, in both interpreters.
    Plain,
}

/// Every kind: the generators with their default knobs, some with other knobs, and the rest.
pub fn kinds() -> Vec<Kind> {
    let mut all: Vec<Kind> = formulas::all().into_iter().map(|(name, g)| formulas_of(name, g)).collect();
    let shape = Shape { assertions: 6, depth: 2 };
    all.extend([
        formulas_of("reach2", Box::new(GroundReach { link_fields: 2, term_depth: 2, ..Default::default() })),
        formulas_of("reach_deep", Box::new(GroundReach { shape, constants: 6, ..Default::default() })),
        formulas_of("lisbq2", Box::new(Lisbq { link_fields: 2, data_fields: 1, ..Default::default() })),
        formulas_of("lisbq_many", Box::new(Lisbq { quantifiers: 5, int_fields: 2, ..Default::default() })),
        formulas_of("ints_large", Box::new(LinearInts { largest: 1000, constants: 5, shape })),
        formulas_of("mixed_deep", Box::new(Mixed { shape, int_fields: 2, largest: 5, ..Default::default() })),
        formulas_of(
            "epr_sorts",
            Box::new(Epr { sorts: 2, max_arity: 2, relations: 3, ..Default::default() }),
        ),
    ]);
    let rest = [
        ("acyclic_epr", Body::AcyclicPair),
        ("trace", Body::Trace),
        ("rule_text", Body::RuleText),
        ("smtlib_text", Body::SmtlibText),
        ("trace_text", Body::TraceText),
        ("bytes", Body::Bytes),
        ("proof_mutation", Body::ProofMutation),
        ("sep_plain", Body::Sep(Style::Plain, 20_000)),
        ("sep_all", Body::Sep(Style::Plain, 5_000_000)),
        ("sep_mixed", Body::Sep(Style::Mixed, 20_000)),
        ("sep_definitions", Body::Sep(Style::Definitions, 20_000)),
        ("sep_double", Body::Sep(Style::Double, 20_000)),
        ("sep_data", Body::Sep(Style::Data, 20_000)),
        ("sep_inductive", Body::Inductive(Fields::Links, 20_000)),
        ("sep_inductive_data", Body::Inductive(Fields::Number, 20_000)),
        ("monotone", Body::Monotone),
        ("pdr", Body::Pdr),
        ("lazy", Body::Lazy),
        ("parts", Body::Parts),
        ("contracts", Body::Contracts),
        ("interpolants", Body::Interpolants),
        ("ends", Body::Ends),
        ("compiled", Body::Compiled),
        ("plaincells", Body::PlainCells),
        ("sums", Body::Sums),
        ("trees", Body::Trees),
        ("c_text", Body::CText),
        ("plain", Body::Plain),
    ];
    all.extend(rest.map(|(name, body)| Kind { name, body }));
    all
}

fn formulas_of(name: &'static str, generator: Box<dyn Generate>) -> Kind {
    // Enumerating relations is slow, and a cap that is reached tells nothing.
    let brute_cap = if name.starts_with("epr") || name == "stratified" { 2_000 } else { 20_000 };
    // Some orders of a few cases with large coefficients branch until their limit.
    let may_stop = name == "ints_large";
    Kind { name, body: Body::Formulas(generator, Effort { brute_cap, may_stop, ..Effort::default() }) }
}

/// The seed of case number `index` in a run.
pub fn case_seed(seed: u64, kind: &str, index: u64) -> u64 {
    let mut rng = Rng::new(kind.bytes().fold(seed, |h, b| h.wrapping_mul(0x0100_0000_01B3) ^ u64::from(b)));
    Rng::new(rng.next_u64().wrapping_add(index)).next_u64()
}

impl Kind {
    /// Runs one case. A panic is a complaint.
    pub fn run(&self, seed: u64) -> Result<Verdict, Complaint> {
        guarded(|| match &self.body {
            Body::Formulas(generator, effort) => check_problem(&generator.generate(seed), effort, seed),
            Body::AcyclicPair => acyclic_pair(seed),
            Body::Trace => Ok(replay(&Trace::random(seed))?.last.unwrap_or(Verdict::Unknown)),
            Body::RuleText => {
                let accepted = texts::rule_text(&texts::random_rule_text(seed))?;
                Ok(if accepted { Verdict::Sat } else { Verdict::Unknown })
            }
            Body::SmtlibText => {
                Ok(texts::smtlib_text(&texts::random_smtlib_text(seed))?.unwrap_or(Verdict::Unknown))
            }
            Body::TraceText => {
                Ok(texts::trace_text(&texts::random_trace_text(seed))?.unwrap_or(Verdict::Unknown))
            }
            Body::Bytes => {
                let accepted = texts::any_text(&texts::random_bytes(seed))?;
                Ok(if accepted { Verdict::Sat } else { Verdict::Unknown })
            }
            Body::ProofMutation => proofs::check_mutants(&proofs::random_problem(seed), seed, 30),
            Body::Sep(style, tries) => sep::check_random(seed, *style, *tries),
            Body::Inductive(fields, tries) => sep::check_inductive(seed, *fields, *tries),
            Body::Monotone => judged("monotone", pointers::check_monotone(seed)),
            Body::Pdr => judged("pdr", inferred::check_pdr(seed)),
            Body::Lazy => judged("lazy", whole::check_lazy(seed)),
            Body::Parts => judged("parts", regions::check_parts(seed)),
            Body::Contracts => judged("contracts", contracts::check_contract(seed)),
            Body::Sums => judged("sums", csums::check_sums(seed)),
            Body::Trees => judged("trees", ctrees::check_trees(seed)),
            Body::Ends => judged("ends", ends::check_ends(seed)),
            Body::Plain => judged("plain", plain::check_plain(seed)),
            Body::Interpolants => match interpolants::check_interpolants(seed) {
                Ok("unsat") => Ok(Verdict::Unsat),
                Ok("sat") => Ok(Verdict::Sat),
                Ok(_) => Ok(Verdict::Unknown),
                Err(complaint) => Err(Complaint::new("interpolants", complaint)),
            },
            Body::Compiled => compiled_programs(seed),
            Body::PlainCells => plain_cells(seed),
            Body::CText => {
                let accepted = ctexts::check(&ctexts::random_text(seed))?;
                Ok(if accepted { Verdict::Sat } else { Verdict::Unknown })
            }
        })
    }

    /// A case as it is, as a test to paste.
    pub fn case(&self, seed: u64) -> String {
        let test = |p: Problem| as_test::rust_test("reproduced", &p.terms, &p.formulas, None);
        match &self.body {
            Body::Formulas(generator, _) => test(generator.generate(seed)),
            Body::AcyclicPair => {
                let generator = AcyclicReach::default();
                [generator.generate(seed), generator.generate_epr(seed)].map(test).join("\n")
            }
            Body::Trace => Trace::random(seed).rust_test("reproduced"),
            Body::RuleText => text_test("rule_text", &texts::random_rule_text(seed)),
            Body::SmtlibText => text_test("smtlib_text", &texts::random_smtlib_text(seed)),
            Body::TraceText => text_test("trace_text", &texts::random_trace_text(seed)),
            Body::Bytes => text_test("any_text", &texts::random_bytes(seed)),
            Body::ProofMutation => test(proofs::random_problem(seed)),
            Body::Sep(style, _) => generate(seed, *style),
            Body::Inductive(fields, _) => inductive::generate(seed, *fields),
            Body::Monotone | Body::Pdr => pointers::print_case(seed),
            Body::Lazy => whole::random_text(seed),
            Body::Parts => regions::random_text(seed),
            Body::Contracts => contracts::random_text(seed),
            Body::Ends => ends::sample(seed).text,
            Body::Plain => plain::random_text(seed),
            Body::Interpolants => interpolants::random_text(seed),
            Body::Compiled => compiled::program_text(compiled::family_of(seed), seed),
            Body::PlainCells => cplain::program_text(seed),
            Body::Sums => csums::random_text(seed),
            Body::Trees => ctrees::random_text(seed),
            Body::CText => ctexts::random_text(seed),
        }
    }

    /// A failing case, shrunk where that is possible, as a test to paste.
    pub fn reproduce(&self, seed: u64, complaint: &Complaint) -> String {
        match &self.body {
            Body::Formulas(generator, effort) => {
                oracle::reproduce(&generator.generate(seed), effort, seed, complaint)
            }
            Body::Trace => shrink_trace(&Trace::random(seed), complaint).rust_test("reproduced"),
            _ => self.case(seed),
        }
    }
}

/// The verdict of an engine about a program as one about its failures.
fn judged(engine: &'static str, word: Result<&'static str, String>) -> Result<Verdict, Complaint> {
    match word {
        Ok("verified") => Ok(Verdict::Unsat),
        Ok("violated") => Ok(Verdict::Sat),
        Ok(_) => Ok(Verdict::Unknown),
        Err(complaint) => Err(Complaint::new(engine, complaint)),
    }
}

/// A few programs of one family, compiled at once. Without a compiler there is nothing to compare, which is said.
fn compiled_programs(seed: u64) -> Result<Verdict, Complaint> {
    static SKIPPED: std::sync::Once = std::sync::Once::new();
    let family = compiled::family_of(seed);
    match compiled::compare_seed(family, seed) {
        Some(Ok(_)) => Ok(Verdict::Sat),
        Some(Err(difference)) => Err(Complaint::new("compiled", difference)),
        None => {
            SKIPPED.call_once(|| compiled::say_skipped("compiled"));
            Ok(Verdict::Unknown)
        }
    }
}

/// A few small programs, compiled at once.
fn plain_cells(seed: u64) -> Result<Verdict, Complaint> {
    static SKIPPED: std::sync::Once = std::sync::Once::new();
    match cplain::compare_seed(seed) {
        Some(Ok(summary)) if summary.violated > 0 => Ok(Verdict::Sat),
        Some(Ok(summary)) if summary.verified > 0 => Ok(Verdict::Unsat),
        Some(Ok(_)) => Ok(Verdict::Unknown),
        Some(Err(difference)) => Err(Complaint::new("plaincells", difference)),
        None => {
            SKIPPED.call_once(|| compiled::say_skipped("plaincells"));
            Ok(Verdict::Unknown)
        }
    }
}

fn text_test(body: &str, text: &str) -> String {
    format!(
        "#[test]\nfn reproduced() {{\n    catena::testing::texts::{body}({}).unwrap();\n}}\n",
        as_test::fenced(text)
    )
}

/// Two decision procedures on one question.
fn acyclic_pair(seed: u64) -> Result<Verdict, Complaint> {
    let (generator, effort) = (AcyclicReach::default(), Effort::default());
    let (heap, order) = (generator.generate(seed), generator.generate_epr(seed));
    let verdict = fresh(&heap.terms, &heap.formulas, &effort)?;
    agree("acyclic pair", &effort, verdict, fresh(&order.terms, &order.formulas, &effort)?)?;
    Ok(verdict)
}
