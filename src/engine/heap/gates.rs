//! Gates over the Boolean search, with structural hashing and two constant literals.
//!
//! Variable 0 is true for good, so constants are ordinary literals and need no special care in clauses,
//! assumptions or cores. Literals that are fixed at level 0 count as constants too: asserting the guard of
//! a path before the literals behind it are asked for makes them smaller.

use crate::sat::Lit;
use crate::sat::cdcl::Cdcl;
use crate::util::hash::Map;

/// The literal that is always true, or the one that is always false.
#[inline]
pub fn constant(value: bool) -> Lit {
    Lit::from_code(u32::from(!value))
}

/// A Boolean search with gates.
#[derive(Debug)]
pub(super) struct Gates {
    pub(super) sat: Cdcl,
    ands: Map<(Lit, Lit), Lit>,
    choices: Map<(Lit, Lit, Lit), Lit>,
    buffer: Vec<Lit>,
    /// Clauses handed to the search.
    pub(super) clauses: u64,
}

impl Gates {
    pub(super) fn new() -> Gates {
        let mut sat = Cdcl::default();
        let yes = sat.new_var().positive();
        debug_assert_eq!(yes, constant(true));
        sat.add_clause(&[yes], 0);
        Gates { sat, ands: Map::default(), choices: Map::default(), buffer: Vec::new(), clauses: 0 }
    }

    /// A literal about which nothing is known.
    pub(super) fn fresh(&mut self) -> Lit {
        self.sat.new_var().positive()
    }

    /// The literal, or the constant that it is known to be.
    pub(super) fn known(&self, lit: Lit) -> Lit {
        self.sat.level0(lit).map_or(lit, constant)
    }

    /// Adds a clause for good.
    pub(super) fn clause(&mut self, lits: &[Lit]) {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.extend(lits.iter().copied().filter(|&lit| lit != constant(false)));
        if !buffer.contains(&constant(true)) {
            self.clauses += 1;
            self.sat.add_clause(&buffer, 0);
        }
        self.buffer = buffer;
    }

    /// Both.
    pub(super) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (self.known(a), self.known(b));
        let (yes, no) = (constant(true), constant(false));
        if a == no || b == no || a == !b {
            return no;
        }
        if a == yes || a == b {
            return b;
        }
        if b == yes {
            return a;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&gate) = self.ands.get(&key) {
            return gate;
        }
        let gate = self.fresh();
        self.clause(&[!gate, a]);
        self.clause(&[!gate, b]);
        self.clause(&[gate, !a, !b]);
        self.ands.insert(key, gate);
        gate
    }

    /// One or both.
    pub(super) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// `a` if `test`, else `b`.
    pub(super) fn choose(&mut self, test: Lit, a: Lit, b: Lit) -> Lit {
        let (test, a, b) = (self.known(test), self.known(a), self.known(b));
        let (yes, no) = (constant(true), constant(false));
        if !test.is_positive() && test != no {
            return self.choose(!test, b, a);
        }
        match () {
            () if test == yes || a == b => return a,
            () if test == no => return b,
            () if a == yes || a == test => return self.or(test, b),
            () if a == no || a == !test => return self.and(!test, b),
            () if b == yes || b == !test => return self.or(!test, a),
            () if b == no || b == test => return self.and(test, a),
            () => {}
        }
        if let Some(&gate) = self.choices.get(&(test, a, b)) {
            return gate;
        }
        let gate = self.fresh();
        self.clause(&[!test, !a, gate]);
        self.clause(&[!test, a, !gate]);
        self.clause(&[test, !b, gate]);
        self.clause(&[test, b, !gate]);
        // Redundant, but they let the output follow before the test is known.
        self.clause(&[!a, !b, gate]);
        self.clause(&[a, b, !gate]);
        self.choices.insert((test, a, b), gate);
        gate
    }

    /// Bytes held, nearly.
    #[cfg(feature = "testing")]
    pub(super) fn memory_bytes(&self) -> u64 {
        self.sat.memory_bytes() + 16 * self.ands.capacity() as u64 + 20 * self.choices.capacity() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::Outcome;
    use crate::util::limits::Budget;

    #[test]
    fn gates_mean_what_they_say() {
        let mut gates = Gates::new();
        let inputs: Vec<Lit> = (0..3).map(|_| gates.fresh()).collect();
        let mut operands = vec![constant(true), constant(false)];
        operands.extend(inputs.iter().flat_map(|&lit| [lit, !lit]));
        for &a in &operands {
            for &b in &operands {
                for &c in &operands {
                    let (and, or, choice) = (gates.and(a, b), gates.or(a, b), gates.choose(a, b, c));
                    assert_eq!(gates.choose(!a, c, b), choice, "hashing sees through the sign of the test");
                    for code in 0..8 {
                        let assumed: Vec<Lit> =
                            (0..3).map(|i| if code >> i & 1 == 1 { inputs[i] } else { !inputs[i] }).collect();
                        let outcome = gates.sat.solve(&assumed, &mut Budget::unlimited());
                        assert_eq!(outcome, Ok(Outcome::Sat));
                        let value = |lit| gates.sat.model_value(lit).unwrap();
                        assert_eq!(value(and), value(a) && value(b));
                        assert_eq!(value(or), value(a) || value(b));
                        assert_eq!(value(choice), if value(a) { value(b) } else { value(c) });
                    }
                }
            }
        }
    }
}
