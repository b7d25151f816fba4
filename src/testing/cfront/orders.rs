//! Operands whose order C leaves open: calls with effects on objects that types alone do not tell apart.
//!
//! Each expression gives every operand objects of its own, so that all orders give the same result; now and then two
//! operands share one, and whoever executes that must say so or be lucky.

use crate::util::rng::Rng;
use std::fmt::Write;

/// Objects of a program.
const OBJECTS: usize = 6;

/// The functions of one program and the one of this name that calls them.
#[must_use]
pub fn function(seed: u64, name: &str, _: bool) -> String {
    let mut rng = Rng::new(seed);
    let mut out =
        format!("struct {name}_n {{ int v; struct {name}_n *next; }};\nstatic int {name}_a[{OBJECTS}][3];\n");
    let _ = write!(
        out,
        "static int {name}_bump(int *p) {{ p[0] += 3; p[1]++; return p[0] + p[2]; }}\n\
         static int {name}_sum(struct {name}_n *l) {{ return l ? l->v + {name}_sum(l->next) : 0; }}\n\
         static struct {name}_n *{name}_cons(int v, struct {name}_n *l) {{ struct {name}_n *n = malloc(sizeof *n); n->v = v; n->next = l; return n; }}\n\
         static struct {name}_n *{name}_inc(struct {name}_n *l) {{ if (l) {{ l->v++; l->next = {name}_inc(l->next); }} return l; }}\n\
         static struct {name}_n *{name}_zip(struct {name}_n *a, struct {name}_n *b) {{ if (!a) return b; struct {name}_n *r = a->next; a->next = {name}_zip(b, r); return a; }}\n\
         static void {name}_del(struct {name}_n *l) {{ if (l) {{ {name}_del(l->next); free(l); }} }}\n"
    );
    let mut body = String::new();
    for i in 0..2 + rng.below(3) {
        let mut objects: Vec<usize> = (0..OBJECTS).collect();
        // Two operands share an object in few programs: what then has no meaning is refused.
        let share = rng.one_in(150);
        let mut object = |rng: &mut Rng| {
            let at = rng.below(objects.len());
            if share { objects[at] } else { objects.swap_remove(at) }
        };
        let line = match rng.below(5) {
            0 => {
                let (x, y) = (number(&mut rng, name, &mut object), number(&mut rng, name, &mut object));
                format!("h = mix(h, (unsigned long)({x} * 3 + {y}));")
            }
            1 => {
                let (x, y, z) = (object(&mut rng), number(&mut rng, name, &mut object), rng.below(3));
                format!("{name}_a[{x}][{z}] = {y}; h = mix(h, (unsigned long){name}_a[{x}][{z}]);")
            }
            2 => {
                let (x, y, op) = (object(&mut rng), object(&mut rng), ["=", "+="][rng.below(2)]);
                let value = number(&mut rng, name, &mut object);
                format!("{name}_a[{x}][{name}_bump({name}_a[{y}]) % 3] {op} {value};")
            }
            3 => format!(
                "{{ struct {name}_n *l = {name}_zip({name}_cons({}, {name}_cons(1, NULL)), {name}_cons({}, NULL)); h = mix(h, (unsigned long){name}_sum(l)); {name}_del(l); }}",
                number(&mut rng, name, &mut object),
                rng.below(9)
            ),
            _ => format!(
                "{{ struct {name}_n *a = {name}_cons({i}, NULL), *b = {name}_cons(2, {name}_cons(4, NULL)); a = {name}_zip({name}_inc(a), {name}_inc(b)); h = mix(h, (unsigned long){name}_sum(a)); {name}_del(a); }}"
            ),
        };
        let _ = writeln!(body, "  {line}");
    }
    let _ = write!(out, "int {name}(void) {{\n  unsigned h = 7;\n{body}  return (int)(h % 99);\n}}\n");
    out
}

/// A number that a call or a side effect makes of objects of its own.
fn number(rng: &mut Rng, name: &str, object: &mut dyn FnMut(&mut Rng) -> usize) -> String {
    let o = object(rng);
    match rng.below(4) {
        0 => format!("{name}_bump({name}_a[{o}])"),
        1 => format!("{name}_a[{o}][{}]++", rng.below(3)),
        2 => format!("({name}_a[{o}][{}] += 5)", rng.below(3)),
        _ => format!("({name}_a[{o}][0] < 9 && {name}_bump({name}_a[{o}]))"),
    }
}
