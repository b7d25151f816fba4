//! What must not be at the exit: negated postconditions, garbage and leaks as patterns.
//!
//! Postconditions come in two forms. *Anchored* patterns are the negated clauses. *Whole* patterns say of a
//! structure that the contract names that all cells of the heap are in order; that is more than the clause
//! says, so they cover its violations, and they are fewer and converge better. An engine tries them first.
//!
//! Garbage (DESIGN 6, decision 10) is "not reached", which no finite set of patterns says of arbitrary heaps.
//! With a whole shape at the root it is a cell beside the spine, or a second root of a tree; with two lists a
//! cell beside both. Otherwise: in a
//! finite heap without cycles some garbage cell has no in-edge, so an in-closed cell without in-edges that is
//! no root, and every cycle, cover it. A leak is garbage with more roots, so it is covered by garbage with
//! any of them.

use super::levels::negation_over;
use super::model::{Bad, Model, inexpressible, unsupported};
use super::pattern::Vocabulary as _;
use super::pre::VarIx;
use super::shape::{
    Kind, Shape, conjuncts, ending_lists, excluded_cells, excluded_root, no_tree, part_shape, parts, pattern,
    recognise, strangers, strangers_of_two,
};
use super::signature::{Node, Signature};
use crate::program::{At, Check, Cmp, Command, Contract, Formula, Question, Target, Term, Type, VarKind};
use crate::util::span::Span;
use crate::verdict::Reason;

/// Roots beyond which garbage has too many cases.
const MAX_ROOTS: usize = 4;

/// The bad patterns of the exit.
pub fn exit_patterns(model: &Model<'_>, question: &Question, whole: bool) -> Result<Vec<Bad>, Reason> {
    let mut out = Exit { model, bad: Vec::new() };
    let contract = model.program.contracts.get(question.contract);
    let shapes = match contract {
        Some(contract) => recognise(model, contract.ensures.iter().map(|c| &c.formula)).shapes,
        None => Vec::new(),
    };
    let colours = model.fields.len();
    let covering: Vec<Shape> =
        shapes.into_iter().filter(|s| s.kind.covers(colours) && !s.kind.has_parents()).collect();
    let unreached = question.asks(Check::Garbage) || question.asks(Check::Leaks);
    if let Some(contract) = contract
        && question.asks(Check::Ensures)
    {
        out.postconditions(contract, whole, &covering)?;
        out.assigns(contract)?;
    }
    if unreached {
        out.unreached(question, &covering, contract)?;
    }
    Ok(out.bad)
}

struct Exit<'a, 'p> {
    model: &'a Model<'p>,
    bad: Vec<Bad>,
}

impl Exit<'_, '_> {
    fn add(&mut self, signature: Signature, check: Check, message: &str, span: Span) {
        let location = self.model.exit;
        self.bad.push(Bad { location, signature, check, message: message.to_owned(), span });
    }

    fn postconditions(&mut self, contract: &Contract, whole: bool, covering: &[Shape]) -> Result<(), Reason> {
        let message = "postcondition does not hold";
        let clauses = contract.ensures.iter();
        let lists: Vec<(VarIx, u8)> = clauses.flat_map(|c| ending_lists(self.model, &c.formula)).collect();
        for clause in &contract.ensures {
            for part in conjuncts(self.model, &clause.formula) {
                let said = part_shape(self.model, &part).filter(|_| whole);
                if let Some(Shape { kind: Kind::Tree { left, right, .. }, root, .. }) = said
                    && self.model.fields.len() > 2
                    && left != right
                {
                    for signature in no_tree(left, right, root, self.model.fields.len()) {
                        self.add(signature, Check::Ensures, message, clause.span);
                    }
                    continue;
                }
                let shape = said.filter(|s| covering.contains(s));
                if let Some(shape) = shape {
                    for signature in self.whole(shape) {
                        self.add(signature, Check::Ensures, message, clause.span);
                    }
                    continue;
                }
                for formula in part {
                    let patterns = negation_over(self.model, formula, &lists)
                        .map_err(|e| inexpressible(&e, clause.span))?;
                    for p in patterns {
                        self.add(p.signature, Check::Ensures, message, clause.span);
                    }
                }
            }
        }
        Ok(())
    }

    /// All cells are in order, and the root is where it should be.
    fn whole(&self, shape: Shape) -> Vec<Signature> {
        let colours = self.model.fields.len();
        let mut all = excluded_cells(shape.kind, colours);
        match shape.kind {
            // Sharing breaks no list.
            Kind::List { .. } => all.truncate(1),
            Kind::Dll { .. } => all.extend(excluded_root(shape, colours)),
            Kind::Tree { .. } => {}
        }
        let mut dangling = Signature::EMPTY;
        dangling.labels[shape.root as usize] = Node::DANGLING;
        all.push(dangling);
        all.push(pattern("a -?-> *", 0, 1, colours));
        all
    }

    /// Frames are not expressible, unless nothing is written that they speak of.
    fn assigns(&self, contract: &Contract) -> Result<(), Reason> {
        let Some(targets) = &contract.assigns else { return Ok(()) };
        if targets.contains(&Target::Everything) {
            return Ok(());
        }
        let program = self.model.program;
        let is_global = |v: crate::program::VarId| program.vars[v.index()].kind == VarKind::Global;
        let allowed = |v: crate::program::VarId| targets.contains(&Target::Var(v));
        for edge in &program.edges {
            let writes = match &edge.command {
                Command::Store { .. } => true,
                Command::Assign(x, _)
                | Command::Load { to: x, .. }
                | Command::Alloc { to: x, .. }
                | Command::Havoc(x) => is_global(*x) && !allowed(*x),
                _ => false,
            };
            if writes {
                return Err(inexpressible("`assigns` of a function that writes", contract.span));
            }
        }
        Ok(())
    }

    fn unreached(
        &mut self,
        question: &Question,
        covering: &[Shape],
        contract: Option<&Contract>,
    ) -> Result<(), Reason> {
        let model = self.model;
        let lasting: Vec<VarIx> =
            model.slots_of(|k| matches!(k, VarKind::Result | VarKind::Global)).collect();
        let params = model.program.vars.iter().enumerate().filter(|(_, v)| v.kind == VarKind::Param);
        let entries = params.filter_map(|(i, _)| model.label(crate::program::VarId(i as u32), At::Entry));
        let allocates = model.program.edges.iter().any(|e| matches!(e.command, Command::Alloc { .. }));
        let for_leaks: Vec<VarIx> = lasting.iter().copied().chain(entries).collect();
        // What is null reaches nothing; that it is null is proved beside.
        let is_null = |r: &VarIx| question.asks(Check::Ensures) && ensured_null(model, contract, *r);
        for (check, mut roots, message) in [
            (Check::Garbage, lasting, "a cell is garbage at the exit"),
            (Check::Leaks, for_leaks, "a cell is leaked"),
        ] {
            // Only what the function allocates can leak.
            if question.asks(check) && (check == Check::Garbage || allocates) {
                roots.retain(|r| !is_null(r));
                self.unreached_from(check, &roots, message, covering, contract)?;
            }
        }
        Ok(())
    }

    fn unreached_from(
        &mut self,
        check: Check,
        roots: &[VarIx],
        message: &str,
        covering: &[Shape],
        contract: Option<&Contract>,
    ) -> Result<(), Reason> {
        let span = contract.map_or(self.model.program.span, |c| c.span);
        let program = self.model.program;
        let arrays = program.vars.iter().any(|v| {
            matches!(v.ty, Type::PtrArray(_))
                && matches!(v.kind, VarKind::Global | VarKind::Param | VarKind::Result)
        });
        if arrays {
            return Err(unsupported("arrays", span));
        }
        let colours = self.model.fields.len();
        if roots.is_empty() {
            self.add(pattern("g", 0, 1, colours), check, message, span);
            return Ok(());
        }
        let of_root = |r: &VarIx| covering.iter().find(|s| s.root == *r && s.tail.is_none());
        if let [first, second] = roots
            && let (Some(a), Some(b)) = (of_root(first), of_root(second))
            && a.kind == b.kind
            && let Some(next) = a.kind.spine()
        {
            let all = strangers_of_two(next, [*first, *second], colours);
            for signature in all.into_iter().chain(self.whole(*a)).chain(self.whole(*b)) {
                self.add(signature, check, message, span);
            }
            return Ok(());
        }
        let shaped =
            covering.iter().find(|s| roots.contains(&s.root) && (check == Check::Leaks || roots.len() == 1));
        if let Some(shape) = shaped {
            // The rest of the structure must be in order for these to mean garbage.
            for signature in strangers(*shape, colours).into_iter().chain(self.whole(*shape)) {
                self.add(signature, check, message, span);
            }
            return Ok(());
        }
        if roots.len() > MAX_ROOTS {
            return Err(unsupported("garbage with so many roots", span));
        }
        if colours > 0 {
            self.add(pattern("a -?-> a", 0, 1, colours), check, message, span);
        }
        let lone = pattern("g!", 0, 1, colours);
        for signature in beside(lone, roots) {
            self.add(signature, check, message, span);
        }
        Ok(())
    }
}

/// Whether a conjunct of a postcondition says that the label is null.
fn ensured_null(model: &Model<'_>, contract: Option<&Contract>, root: VarIx) -> bool {
    let clauses = contract.into_iter().flat_map(|c| &c.ensures);
    clauses.flat_map(|c| parts(&c.formula)).any(|part| match part {
        Formula::Compare(Cmp::Eq, Term::Var(v, at), Term::Null(_)) => model.label(*v, *at) == Some(root),
        _ => false,
    })
}

/// The signature with every root somewhere else than on its cells.
fn beside(lone: Signature, roots: &[VarIx]) -> Vec<Signature> {
    let mut all = vec![lone];
    for root in roots {
        let mut more = Vec::new();
        for s in &all {
            let mut new = *s;
            let elsewhere = new.add_cell();
            new.labels[*root as usize] = elsewhere;
            more.push(new);
            let others = s.nodes().skip(lone.len()).chain([Node::NULL, Node::DANGLING]);
            more.extend(others.map(|n| {
                let mut t = *s;
                t.labels[*root as usize] = n;
                t
            }));
        }
        all = more;
    }
    all
}
