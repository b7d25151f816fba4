//! The seven rows of Figure 9, and how the engine `heaps` grows with the number of tracked predicates and of heaps;
//! prints the exponent of each.
//!
//! Of each row the time and the questions that reach the core, beside the prover calls of the paper. A walk along a list is proved with 5 to 40 predicates of cells, all but two of which tell nothing, then with more flags of the state, each of which doubles the heaps until they
//! are all told apart. Time is the best of several runs.

use catena::analysis::{Setup, heaps};
use catena::frontend::c;
use catena::program::Question;
use std::fmt::Write as _;
use std::time::Instant;

fn walk(tracked: &str) -> String {
    format!(
        "struct node {{ int key; struct node *next; }};
         /*@ requires (\\forall struct node *u; \\list(next, u)) && \\stable(next, l);
             ensures  \\list(next, l); @*/
         void walk(struct node *l, int a, int b, int d)
         {{
           struct node *p = l;
           /*@ track (struct node *v) v != \\null && l -next*-> v;
               track (struct node *v) v != \\null && p -next*-> v;
               {tracked} @*/
           while (p != 0)
             p = p->next;
         }}"
    )
}

fn predicates(n: usize) -> String {
    let mut tracked = String::new();
    for i in 2..n {
        let _ = writeln!(tracked, "track (struct node *v) v->key < {i} || v->key >= {i};");
    }
    walk(&tracked)
}

fn flags(n: usize) -> String {
    let mut tracked = String::new();
    for name in ["a", "b", "d"].iter().take(n) {
        let _ = writeln!(tracked, "track {name} == 0;");
    }
    walk(&tracked)
}

/// Seconds, and heaps.
fn measure(text: &str) -> (f64, u64) {
    let unit = c::load("walk.c", text.as_bytes(), &c::Options::default());
    let program = unit.functions[0].program.as_ref().expect("lowered");
    let mut best = f64::MAX;
    let mut found = 0;
    for _ in 0..3 {
        let start = Instant::now();
        let outcome = heaps::run(program, &Question::of_contract(0), &Setup::default(), &|_| {});
        best = best.min(start.elapsed().as_secs_f64());
        assert_eq!(outcome.verdict.word(), "verified");
        found = outcome.counters.signatures.unwrap_or(0);
    }
    (best, found)
}

fn table(name: &str, sizes: &[usize], text: fn(usize) -> String, by_heaps: bool) {
    println!("{name}");
    let mut points = Vec::new();
    for &size in sizes {
        let (time, found) = measure(&text(size));
        println!("  {size:3}  {:9.2} ms  {found} heaps", time * 1e3);
        points.push((if by_heaps { found as f64 } else { size as f64 }, time));
    }
    if let (Some(&(x, s)), Some(&(y, t))) = (points.first(), points.last()) {
        println!("  exponent {:.2}", (t / s).ln() / (y / x).ln());
    }
}

/// The rows of Figure 9 with the paper's prover calls.
const ROWS: [(&str, u64); 7] = [
    ("dll_add_last", 118),
    ("list_reverse", 371),
    ("sorted_list_add", 368),
    ("skiplist_add", 787),
    ("tree_add", 358),
    ("parent_tree_add", 362),
    ("linear_array_inv", 882),
];

fn rows() {
    println!("rows of Figure 9");
    let mut total = 0.0;
    for (name, calls) in ROWS {
        let file = format!("{}/tests/programs/bohne/{name}.c", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&file).expect("a readable program");
        let unit = c::load(&file, text.as_bytes(), &c::Options::default());
        let function = unit.functions.iter().find(|f| f.name != "main").expect("a contract");
        let program = function.program.as_ref().expect("lowered");
        let mut best = f64::MAX;
        let mut queries = 0;
        for _ in 0..3 {
            let start = Instant::now();
            let outcome = heaps::run(program, &Question::of_contract(0), &Setup::default(), &|_| {});
            best = best.min(start.elapsed().as_secs_f64());
            assert_eq!(outcome.verdict.word(), "verified");
            queries = outcome.counters.queries.unwrap_or(0);
        }
        total += best;
        println!("  {name:16}  {:9.2} ms  {queries:4} questions, paper {calls}", best * 1e3);
    }
    println!("  {:16}  {:9.2} ms", "all", total * 1e3);
}

fn main() {
    rows();
    table("object predicates", &[5, 10, 20, 40], predicates, false);
    table("flags of the state", &[0, 1, 2, 3], flags, true);
}
