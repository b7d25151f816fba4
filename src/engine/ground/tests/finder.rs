//! A finite model finder: all models of given sizes at once, by plain expansion and a SAT call.
//!
//! It shares nothing with the grounding: quantifiers are written out over numbered elements, functions are
//! tables with exactly one value per place, and nothing is lazy.

use crate::logic::{FuncId, Op, SortId, TermId, Terms, VarId};
use crate::sat::cdcl::Cdcl;
use crate::sat::{Lit, Outcome};
use crate::util::hash::Map;
use crate::util::limits::Budget;

struct Finder<'a> {
    terms: &'a Terms,
    cdcl: Cdcl,
    top: Lit,
    sizes: &'a [(SortId, u32)],
    predicates: Map<(FuncId, Vec<u32>), Lit>,
    functions: Map<(FuncId, Vec<u32>), Vec<Lit>>,
}

/// Whether the formulas have a model with these numbers of elements.
pub(super) fn has_model(terms: &Terms, formulas: &[TermId], sizes: &[(SortId, u32)]) -> bool {
    let mut cdcl = Cdcl::default();
    let top = cdcl.new_var().positive();
    cdcl.add_clause(&[top], 0);
    let mut finder =
        Finder { terms, cdcl, top, sizes, predicates: Map::default(), functions: Map::default() };
    for &formula in formulas {
        let lit = finder.formula(formula, &mut Map::default());
        finder.cdcl.add_clause(&[lit], 0);
    }
    finder.cdcl.solve(&[], &mut Budget::unlimited()) == Ok(Outcome::Sat)
}

/// Whether the formulas have a model with at most `most` elements of each of two sorts.
pub(super) fn has_small_model(terms: &Terms, formulas: &[TermId], most: u32) -> bool {
    let sorts: Vec<SortId> = terms.uninterpreted_sorts().collect();
    let [s, t] = sorts[..] else { panic!("two sorts") };
    (1..=most).any(|i| (1..=most).any(|j| has_model(terms, formulas, &[(s, i), (t, j)])))
}

impl Finder<'_> {
    fn size(&self, sort: SortId) -> u32 {
        self.sizes.iter().find(|s| s.0 == sort).map_or(2, |s| s.1)
    }

    fn all(&mut self, parts: &[Lit]) -> Lit {
        let lit = self.cdcl.new_var().positive();
        for &part in parts {
            self.cdcl.add_clause(&[!lit, part], 0);
        }
        let back: Vec<Lit> = parts.iter().map(|&p| !p).chain([lit]).collect();
        self.cdcl.add_clause(&back, 0);
        lit
    }

    fn some(&mut self, parts: &[Lit]) -> Lit {
        let negated: Vec<Lit> = parts.iter().map(|&p| !p).collect();
        !self.all(&negated)
    }

    fn choose(&mut self, condition: Lit, then: Lit, other: Lit) -> Lit {
        let (left, right) = (self.all(&[condition, then]), self.all(&[!condition, other]));
        self.some(&[left, right])
    }

    fn formula(&mut self, term: TermId, env: &mut Map<VarId, u32>) -> Lit {
        let children = self.terms.children(term);
        match self.terms.op(term) {
            Op::True => self.top,
            Op::False => !self.top,
            Op::Not => !self.formula(children[0], env),
            Op::And => {
                let parts: Vec<Lit> = children.iter().map(|&c| self.formula(c, env)).collect();
                self.all(&parts)
            }
            Op::Or => {
                let parts: Vec<Lit> = children.iter().map(|&c| self.formula(c, env)).collect();
                self.some(&parts)
            }
            Op::Iff => {
                let (a, b) = (self.formula(children[0], env), self.formula(children[1], env));
                self.choose(a, b, !b)
            }
            Op::Ite => {
                let parts: Vec<Lit> = children.iter().map(|&c| self.formula(c, env)).collect();
                self.choose(parts[0], parts[1], parts[2])
            }
            Op::Eq => {
                let (a, b) = (self.value(children[0], env), self.value(children[1], env));
                let both: Vec<Lit> = a.iter().zip(&b).map(|(&x, &y)| self.all(&[x, y])).collect();
                self.some(&both)
            }
            Op::App(func) => {
                let args: Vec<Vec<Lit>> = children.iter().map(|&c| self.value(c, env)).collect();
                let mut cases = Vec::new();
                for place in places(&args) {
                    let mut parts: Vec<Lit> = args.iter().zip(&place).map(|(a, &i)| a[i as usize]).collect();
                    let cdcl = &mut self.cdcl;
                    let entry = self.predicates.entry((func, place));
                    parts.push(*entry.or_insert_with(|| cdcl.new_var().positive()));
                    cases.push(self.all(&parts));
                }
                self.some(&cases)
            }
            Op::Forall(id) => {
                let variables = self.terms.quantifier(id).variables.clone();
                let mut parts = Vec::new();
                self.expand(&variables, children[0], env, &mut parts);
                self.all(&parts)
            }
            other => panic!("not a formula: {other:?}"),
        }
    }

    fn expand(&mut self, variables: &[VarId], body: TermId, env: &mut Map<VarId, u32>, parts: &mut Vec<Lit>) {
        let Some((&var, rest)) = variables.split_first() else {
            parts.push(self.formula(body, env));
            return;
        };
        let old = env.get(&var).copied();
        for element in 0..self.size(self.terms.variable_info(var).1) {
            env.insert(var, element);
            self.expand(rest, body, env, parts);
        }
        match old {
            Some(element) => env.insert(var, element),
            None => env.remove(&var),
        };
    }

    /// For each element a literal that says that the term is this element.
    fn value(&mut self, term: TermId, env: &mut Map<VarId, u32>) -> Vec<Lit> {
        let sort = self.terms.sort(term);
        let size = self.size(sort);
        let children = self.terms.children(term);
        match self.terms.op(term) {
            Op::True => vec![!self.top, self.top],
            Op::False => vec![self.top, !self.top],
            Op::Var(var) => (0..size).map(|i| if env[&var] == i { self.top } else { !self.top }).collect(),
            Op::Ite => {
                let condition = self.formula(children[0], env);
                let (then, other) = (self.value(children[1], env), self.value(children[2], env));
                then.into_iter().zip(other).map(|(t, o)| self.choose(condition, t, o)).collect()
            }
            Op::App(func) => {
                let args: Vec<Vec<Lit>> = children.iter().map(|&c| self.value(c, env)).collect();
                let mut cases: Vec<Vec<Lit>> = vec![Vec::new(); size as usize];
                for place in places(&args) {
                    let at: Vec<Lit> = args.iter().zip(&place).map(|(a, &i)| a[i as usize]).collect();
                    let here = self.all(&at);
                    let entry = self.entry(func, place, size);
                    for (case, &is) in cases.iter_mut().zip(&entry) {
                        case.push(self.all(&[here, is]));
                    }
                }
                cases.iter().map(|case| self.some(case)).collect()
            }
            other => panic!("not a term: {other:?}"),
        }
    }

    /// The literals of a function's value at a place, exactly one of which is true.
    fn entry(&mut self, func: FuncId, place: Vec<u32>, size: u32) -> Vec<Lit> {
        if let Some(entry) = self.functions.get(&(func, place.clone())) {
            return entry.clone();
        }
        let lits: Vec<Lit> = (0..size).map(|_| self.cdcl.new_var().positive()).collect();
        self.cdcl.add_clause(&lits, 0);
        for (i, &a) in lits.iter().enumerate() {
            for &b in &lits[..i] {
                self.cdcl.add_clause(&[!a, !b], 0);
            }
        }
        self.functions.insert((func, place), lits.clone());
        lits
    }
}

/// All tuples of positions.
fn places(args: &[Vec<Lit>]) -> Vec<Vec<u32>> {
    let mut places = vec![Vec::new()];
    for arg in args {
        places = places
            .into_iter()
            .flat_map(|p: Vec<u32>| {
                (0..arg.len() as u32).map(move |i| p.iter().copied().chain([i]).collect())
            })
            .collect();
    }
    places
}
