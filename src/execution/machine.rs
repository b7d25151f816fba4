//! Statements: a tree is walked, blocks have their objects, jumps look for their label.

use super::frontier::Allowance;
use super::memory::{Found, Memory, Object, Storage, pointer};
use super::orders::Accesses;
use super::path::{Path, Relation, TooLarge};
use super::summary::{Landmarks, Rounds, Summing};
use super::value::{Fill, Linear, ObjectId, Value};
use super::visited::Visited;
use crate::frontend::c::hir::{Expr, Function, LoopKind, Start, Stmt, StmtKind, Variable};
use crate::frontend::c::token::Name;
use crate::frontend::c::types::{Ty, Types};
use crate::frontend::c::{CheckedUnit, Options};
use crate::frontend::diagnostic::Severity;
use crate::program::Check;
use crate::util::hash::Map;
use crate::util::limits::{Budget, Stop};
use crate::util::span::Span;
use std::sync::Arc;

/// Calls inside each other, at most.
pub(super) const MAX_DEPTH: usize = 10_000;
/// What an object takes besides its values, in bytes.
const OBJECT: u64 = 160;
/// What a value takes, in bytes.
const SLOT: u64 = 112;

/// What is wrong with a run.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) check: Check,
    pub(super) message: String,
    pub(super) span: Span,
}

/// Why a path goes no further.
#[derive(Clone, Debug)]
pub(super) enum Halt {
    /// The program ended.
    Ended,
    /// No run goes on like this, or none that is asked about.
    Cut,
    Failed(Fault),
    /// Something has no meaning here.
    GaveUp(String, Span),
    Stopped(Stop),
    /// It has used up its allowance: other paths come first.
    Paused,
}

pub(super) type Doing<T> = Result<T, Halt>;

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stopped(stop)
    }
}

/// Where a statement leads.
pub(super) enum Flow {
    Next,
    Break,
    Continue,
    Return(Option<Value>),
    Goto(Name),
}

/// What a jump into statements looks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Label(Name),
    Case(i128),
    Default,
}

/// A function that was called and has not returned.
pub(super) struct Frame {
    pub(super) function: u32,
    /// Where the call stands.
    pub(super) site: usize,
    pub(super) locals: Vec<Option<ObjectId>>,
    /// Objects of `alloca`.
    pub(super) automatic: Vec<ObjectId>,
    /// The arguments that no parameter stands for.
    pub(super) further: Option<ObjectId>,
}

/// One step of a run that is shown.
pub(super) struct Moment {
    pub(super) span: Span,
    pub(super) memory: Memory,
}

/// The state of one path.
pub(super) struct Machine<'a> {
    pub(super) unit: &'a CheckedUnit,
    pub(super) options: &'a Options,
    pub(super) path: Path,
    pub(super) budget: &'a mut Budget,
    pub(super) memory: Memory,
    pub(super) globals: Vec<Option<ObjectId>>,
    pub(super) literals: Map<(u32, u32, Vec<u8>), ObjectId>,
    pub(super) frames: Vec<Frame>,
    /// Values that were computed and are still to be used: they keep what they lead to.
    pub(super) pending: Vec<Value>,
    /// Functions of the library that wait for what they have called.
    pub(super) held: u32,
    pub(super) accesses: Accesses,
    /// States of all paths, if paths that come to one of them are left there.
    pub(super) visited: Option<&'a mut Visited>,
    /// How states at loop heads are summed up, if they are.
    pub(super) summing: Option<Summing>,
    pub(super) landmarks: Arc<Landmarks>,
    /// Numbers of few values are split into cases where only an approximation is known otherwise.
    pub(super) splits: bool,
    /// Classes of failures that end a path and are not looked for.
    pub(super) settled: Vec<Check>,
    /// Decisions before the last loop head.
    pub(super) arrived: usize,
    /// Loop heads that this path has come to.
    pub(super) arrivals: u64,
    /// How many it had come to before it had to wait: those states are its own.
    pub(super) resumed: u64,
    /// Statements executed.
    pub(super) steps: u64,
    /// How many there may be, if others wait.
    pub(super) allowance: Option<Allowance>,
    /// Moments from this step on are kept.
    pub(super) record_from: Option<u64>,
    pub(super) moments: Vec<Moment>,
    /// The objects of variables, in the order in which they came to be.
    pub(super) variables: Vec<ObjectId>,
    /// Functions that are called when the program ends, the first one last.
    pub(super) at_exit: Vec<u32>,
    /// What the library remembers: where `strtok` goes on.
    pub(super) hidden: Option<ObjectId>,
    /// What the program ended with, if it was not `abort`.
    pub(super) status: Option<Value>,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        unit: &'a CheckedUnit,
        options: &'a Options,
        path: Path,
        budget: &'a mut Budget,
    ) -> Machine<'a> {
        let globals = vec![None; unit.checked.globals.len()];
        Machine {
            unit,
            options,
            path,
            budget,
            memory: Memory::default(),
            globals,
            literals: Map::default(),
            frames: Vec::new(),
            pending: Vec::new(),
            held: 0,
            accesses: Accesses::default(),
            visited: None,
            summing: None,
            landmarks: Arc::default(),
            settled: Vec::new(),
            splits: false,
            arrived: usize::MAX,
            arrivals: 0,
            resumed: 0,
            steps: 0,
            allowance: None,
            record_from: None,
            moments: Vec::new(),
            variables: Vec::new(),
            at_exit: Vec::new(),
            hidden: None,
            status: None,
        }
    }

    pub(super) fn types(&self) -> &'a Types {
        &self.unit.types
    }

    pub(super) fn function(&self, index: u32) -> &'a Function {
        &self.unit.checked.functions[index as usize]
    }

    pub(super) fn name(&self, name: Name) -> &'a str {
        self.unit.names.text(name)
    }

    pub(super) fn give_up<T>(&self, span: Span, message: impl Into<String>) -> Doing<T> {
        Err(Halt::GaveUp(message.into(), span))
    }

    /// A failure of this class; where it is not asked about, what follows has no meaning.
    pub(super) fn fail<T>(&self, check: Check, span: Span, message: impl Into<String>) -> Doing<T> {
        let message = message.into();
        if self.settled.contains(&check) {
            return Err(Halt::Cut);
        }
        if super::asks(self.options, check) {
            Err(Halt::Failed(Fault { check, message, span }))
        } else {
            Err(Halt::GaveUp(format!("{message}: what follows has no meaning"), span))
        }
    }

    /// Whether failures of this class are looked for.
    pub(super) fn asks(&self, check: Check) -> bool {
        super::asks(self.options, check) && !self.settled.contains(&check)
    }

    /// Whether it matters that memory is lost.
    pub(super) fn asks_for_leaks(&self) -> bool {
        let leaks = super::asks(self.options, Check::Leaks)
            || self.options.property == Some(crate::program::Property::Memcleanup);
        leaks && !self.settled.contains(&Check::Leaks)
    }

    /// Whether it holds on this path.
    pub(super) fn decide(&mut self, sum: &Linear, relation: Relation, span: Span) -> Doing<bool> {
        self.budget.spend(1)?;
        match self.path.decide(sum, relation) {
            Ok(holds) => Ok(holds),
            Err(TooLarge) => self.give_up(span, "a number is too large to be computed with"),
        }
    }

    /// A choice that nothing decides.
    pub(super) fn choose(&mut self, span: Span) -> Doing<bool> {
        let choice = self.path.fresh(0, 1);
        Ok(!self.decide(&choice, Relation::Zero, span)?)
    }

    pub(super) fn linear(&self, sum: Option<Linear>, span: Span) -> Doing<Linear> {
        match sum {
            Some(sum) => Ok(sum),
            None => self.give_up(span, "a number is too large to be computed with"),
        }
    }

    /// Runs the program.
    pub(super) fn main(&mut self) -> Halt {
        let halt = self.program().err().unwrap_or(Halt::Ended);
        self.ended_in_order(halt)
    }

    fn program(&mut self) -> Doing<()> {
        let functions = &self.unit.checked.functions;
        let Some(index) = functions.iter().position(|f| self.name(f.name) == "main" && f.defined) else {
            return self.give_up(Span::default(), "there is no `main`");
        };
        if let Some(bad) = self.unit.lost.first() {
            return self.give_up(bad.span, bad.message.clone());
        }
        let function = self.function(index as u32);
        if function.has_contract {
            return self.give_up(function.span, "the contract of `main` is not evaluated on paths");
        }
        let mut arguments = Vec::new();
        let span = function.span;
        let mut count = None;
        for (i, ty) in function.parameters.iter().enumerate() {
            arguments.push(match (ty, &count) {
                (Ty::Int(kind), _) if i == 0 => {
                    let number = self.path.fresh(0, crate::program::IntKind::max(*kind));
                    count = Some(number.clone());
                    Value::Int(number)
                }
                (Ty::Pointer(_) | Ty::Array(..), Some(count)) if i == 1 => {
                    self.arguments_of_program(count.clone(), span)?
                }
                _ => Value::Unknown,
            });
        }
        self.status = self.invoke(index as u32, arguments, None, span)?;
        self.run_at_exit(span)?;
        self.returned(span)
    }

    /// The object of a global; it is made when it is first mentioned.
    pub(super) fn global(&mut self, index: u32, span: Span) -> Doing<ObjectId> {
        if let Some(object) = self.globals[index as usize] {
            return Ok(object);
        }
        let global = &self.unit.checked.globals[index as usize];
        if let Some(bad) = global.diagnostics.iter().find(|d| d.severity > Severity::Warning) {
            return self.give_up(bad.span, bad.message.clone());
        }
        if global.external && !is_stream(&global.name, &global.ty) {
            return self.give_up(span, format!("`{}` is defined elsewhere", global.name));
        }
        // `int a[];` has one element.
        let ty = match &global.ty {
            Ty::Array(element, None) => Ty::Array(element.clone(), Some(1)),
            ty => ty.clone(),
        };
        let size = self.size(&ty, global.span)?;
        let mut object = Object::new(size, Storage::Static, Fill::Zero);
        object.name = Some(global.name.clone());
        object.ty = Some(ty);
        let id = self.memory.add(object);
        self.globals[index as usize] = Some(id);
        self.variables.push(id);
        if global.external
            && let Ty::Pointer(target) = &global.ty
        {
            // What a stream consists of is nobody's business.
            let size = self.types().layout(target).map_or(1, |(size, _)| size);
            let stream = self.memory.add(Object::new(size, Storage::Static, Fill::Arbitrary));
            let size = self.size(&global.ty, span)?;
            self.memory.object_mut(id).write(0, size, pointer(stream));
        }
        // This happens before `main`.
        let accesses = std::mem::take(&mut self.accesses);
        for init in &global.init {
            let value = self.value(&init.value)?;
            self.store_into(&init.target, value)?;
        }
        self.accesses = accesses;
        Ok(id)
    }

    /// The size of a type in bytes.
    pub(super) fn size(&self, ty: &Ty, span: Span) -> Doing<u64> {
        match self.types().layout(ty) {
            Some((size, _)) => Ok(size),
            None if matches!(ty, Ty::Array(_, None)) => Ok(if self.types().lp64 { 8 } else { 4 }),
            None if matches!(ty, Ty::Void | Ty::Function(_))
                || self.types().is_opaque(&ty.clone().pointer()) =>
            {
                Ok(1)
            }
            None => self.give_up(span, format!("the size of `{}` is not known", self.types().show(ty))),
        }
    }

    pub(super) fn new_object(&mut self, object: Object, span: Span) -> Doing<ObjectId> {
        let _ = span;
        let id = self.memory.add(object);
        if self.budget.watches_memory() && id.is_multiple_of(256) {
            let weight: u64 = self.memory.objects.iter().map(|o| o.weight() as u64).sum();
            self.budget.set_memory(self.memory.objects.len() as u64 * OBJECT + weight * SLOT);
        }
        self.budget.spend(1)?;
        Ok(id)
    }

    /// The object of a variable.
    pub(super) fn variable(&mut self, variable: Variable, span: Span) -> Doing<ObjectId> {
        match variable {
            Variable::Global(index) => self.global(index, span),
            Variable::Local(index) => {
                let frame = self.frames.last();
                match frame.and_then(|f| f.locals.get(index as usize).copied().flatten()) {
                    Some(object) => Ok(object),
                    None => self.give_up(span, "a variable is used outside of its block"),
                }
            }
        }
    }

    /// A local comes to be.
    pub(super) fn bring(&mut self, index: u32) -> Doing<()> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let function = self.function(frame.function);
        let local = &function.locals[index as usize];
        let size = self.size(&local.ty, local.span)?;
        let mut object = Object::new(size, Storage::Automatic, Fill::Arbitrary);
        object.name = Some(self.name(local.name).to_owned());
        object.ty = Some(local.ty.clone());
        let id = self.new_object(object, local.span)?;
        // They are only shown.
        if self.summing.is_none() {
            self.variables.push(id);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.locals[index as usize] = Some(id);
        }
        Ok(())
    }

    /// The object of a local ends.
    pub(super) fn end_local(&mut self, index: u32) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(id) = frame.locals[index as usize].take() else { return };
        let function = frame.function;
        // An array whose length was computed ends with its variable.
        let function = self.function(function);
        let computed = matches!(function.locals[index as usize].ty, Ty::Array(_, None))
            && index as usize >= function.parameters.len();
        let size = self.memory.object(id).size;
        if computed && let Found::Value(Value::Pointer(array, _)) = self.memory.object(id).read(0, size) {
            self.end_object(array);
        }
        self.end_object(id);
    }

    pub(super) fn end_object(&mut self, id: ObjectId) {
        let object = self.memory.object_mut(id);
        object.alive = false;
        if self.record_from.is_none() {
            object.reset(Fill::Arbitrary);
        }
    }

    /// The statements of a block.
    pub(super) fn block(&mut self, statements: &'a [Stmt]) -> Doing<Flow> {
        self.block_from(statements, None)
    }

    /// The variables that a block declares.
    fn declared(statements: &[Stmt]) -> impl Iterator<Item = u32> + '_ {
        statements.iter().filter_map(|s| match s.kind {
            StmtKind::Declare(index, _) => Some(index),
            _ => None,
        })
    }

    fn block_from(&mut self, statements: &'a [Stmt], target: Option<Target>) -> Doing<Flow> {
        for index in Self::declared(statements) {
            self.bring(index)?;
        }
        let flow = self.sequence(statements, target);
        // A failing run is shown with the variables it has there.
        if flow.is_ok() {
            for index in Self::declared(statements) {
                self.end_local(index);
            }
        }
        flow
    }

    fn sequence(&mut self, statements: &'a [Stmt], mut target: Option<Target>) -> Doing<Flow> {
        let mut next = match target {
            Some(t) => statements.iter().position(|s| contains(s, t)).unwrap_or(statements.len()),
            None => 0,
        };
        while let Some(statement) = statements.get(next) {
            match self.statement(statement, target.take())? {
                Flow::Next => next += 1,
                Flow::Goto(label) => {
                    match statements.iter().position(|s| contains(s, Target::Label(label))) {
                        Some(place) => {
                            next = place;
                            target = Some(Target::Label(label));
                        }
                        None => return Ok(Flow::Goto(label)),
                    }
                }
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    /// A moment of the run that is shown.
    fn step(&mut self, span: Span) -> Doing<()> {
        self.steps += 1;
        if self.allowance.is_some_and(|a| a.is_used_up(self.steps, &self.path)) {
            return Err(Halt::Paused);
        }
        self.budget.spend(1)?;
        if self.record_from.is_some_and(|from| self.steps > from) {
            self.moments.push(Moment { span, memory: self.memory.clone() });
        }
        Ok(())
    }

    /// One statement.
    pub(super) fn one(&mut self, statement: &'a Stmt) -> Doing<Flow> {
        self.statement(statement, None)
    }

    fn statement(&mut self, statement: &'a Stmt, target: Option<Target>) -> Doing<Flow> {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Block(inner) => self.block_from(inner, target),
            StmtKind::Declare(index, start) => {
                let object = self.variable(Variable::Local(*index), span)?;
                let fill = if *start == Start::Zero { Fill::Zero } else { Fill::Arbitrary };
                self.memory.object_mut(object).reset(fill);
                Ok(Flow::Next)
            }
            StmtKind::Expr(expr) => {
                self.value(expr)?;
                self.step(span)?;
                Ok(Flow::Next)
            }
            StmtKind::If(test, yes, no) => {
                let arm = match target {
                    Some(t) if contains(yes, t) => Some(yes),
                    Some(_) => no.as_ref(),
                    None if self.test(test)? => Some(yes),
                    None => no.as_ref(),
                };
                match arm {
                    Some(arm) => self.scoped(arm, target),
                    None => Ok(Flow::Next),
                }
            }
            StmtKind::Loop { kind, test, step, body, spec } => {
                if !spec.invariants.is_empty() {
                    return self.give_up(span, "loop invariants are not evaluated on paths");
                }
                self.run_loop(*kind, test.as_ref(), step.as_ref(), body, target)
            }
            StmtKind::Switch(subject, body) => self.switch(subject, body, target),
            StmtKind::Case(value, inner) => {
                let target = target.filter(|t| *t != Target::Case(*value));
                self.scoped(inner, target)
            }
            StmtKind::Default(inner) => {
                let target = target.filter(|t| *t != Target::Default);
                self.scoped(inner, target)
            }
            StmtKind::Label(name, inner) => {
                if self.options.is_error_label(self.name(*name)) {
                    return self.fail(
                        Check::Asserts,
                        span,
                        format!("label `{}` is reached", self.name(*name)),
                    );
                }
                let target = target.filter(|t| *t != Target::Label(*name));
                self.scoped(inner, target)
            }
            StmtKind::Goto(label) => {
                self.budget.spend(1)?;
                Ok(Flow::Goto(*label))
            }
            StmtKind::Break => Ok(Flow::Break),
            StmtKind::Continue => Ok(Flow::Continue),
            StmtKind::Return(value) => {
                let value = match value {
                    Some(value) if value.ty != Ty::Void => Some(self.value(value)?),
                    Some(value) => {
                        self.value(value)?;
                        None
                    }
                    None => None,
                };
                self.step(span)?;
                Ok(Flow::Return(value))
            }
            StmtKind::Assert(_) | StmtKind::Assume(_) => {
                self.give_up(span, "annotations are not evaluated on paths")
            }
            StmtKind::Track(_) => Ok(Flow::Next),
        }
    }

    /// A statement that may be a declaration's block of its own.
    fn scoped(&mut self, statement: &'a Stmt, target: Option<Target>) -> Doing<Flow> {
        match &statement.kind {
            StmtKind::Declare(..) => self.block_from(std::slice::from_ref(statement), target),
            _ => self.statement(statement, target),
        }
    }

    fn run_loop(
        &mut self,
        kind: LoopKind,
        test: Option<&'a Expr>,
        step: Option<&'a Expr>,
        body: &'a Stmt,
        mut target: Option<Target>,
    ) -> Doing<Flow> {
        let mut first = kind == LoopKind::Do || target.is_some();
        let mut rounds = Rounds::default();
        loop {
            self.budget.spend(1)?;
            if target.is_none() {
                // Whether the test comes next belongs to the place.
                let place = 2 * (std::ptr::from_ref(body) as usize as i128) + i128::from(first);
                self.arrive(place, &mut rounds, body.span)?;
            }
            if !std::mem::take(&mut first)
                && let Some(test) = test
                && !self.test(test)?
            {
                return Ok(Flow::Next);
            }
            match self.scoped(body, target.take())? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => return Ok(Flow::Next),
                Flow::Goto(label) if contains(body, Target::Label(label)) => {
                    target = Some(Target::Label(label));
                    first = true;
                    continue;
                }
                flow => return Ok(flow),
            }
            if let Some(step) = step {
                self.value(step)?;
                self.step(step.span)?;
            }
        }
    }

    fn switch(&mut self, subject: &'a Expr, body: &'a Stmt, target: Option<Target>) -> Doing<Flow> {
        let target = match target {
            Some(target) => target,
            None => {
                let value = self.value(subject)?;
                let Value::Int(value) = value else {
                    return self.give_up(subject.span, "this value decides a `switch`");
                };
                let kind = subject.ty.int().unwrap_or(crate::program::IntKind::INT);
                let mut cases = Vec::new();
                collect_cases(body, &mut cases);
                let mut found = None;
                for case in cases.iter().flatten() {
                    let difference = value.shifted(-kind.wrap(*case));
                    let difference = self.linear(difference, subject.span)?;
                    if self.decide(&difference, Relation::Zero, subject.span)? {
                        found = Some(Target::Case(*case));
                        break;
                    }
                }
                match found {
                    Some(found) => found,
                    None if cases.contains(&None) => Target::Default,
                    None => return Ok(Flow::Next),
                }
            }
        };
        let mut target = Some(target);
        loop {
            match self.scoped(body, target.take())? {
                Flow::Break => return Ok(Flow::Next),
                Flow::Goto(label) if contains(body, Target::Label(label)) => {
                    target = Some(Target::Label(label));
                }
                flow => return Ok(flow),
            }
        }
    }

    /// Calls a function of the unit.
    pub(super) fn invoke(
        &mut self,
        index: u32,
        arguments: Vec<Value>,
        site: Option<&'a Expr>,
        span: Span,
    ) -> Doing<Option<Value>> {
        let function = self.function(index);
        if let Some(bad) = function.diagnostics.iter().find(|d| d.severity > Severity::Warning) {
            return self.give_up(bad.span, bad.message.clone());
        }
        if function.has_contract && !self.frames.is_empty() {
            let message = format!("the contract of `{}` is not evaluated on paths", self.name(function.name));
            return self.give_up(span, message);
        }
        let Some(body) = &function.body else {
            let message = format!("`{}` has neither a body nor a contract", self.name(function.name));
            return self.give_up(span, message);
        };
        if self.frames.len() >= MAX_DEPTH {
            return self.give_up(span, "calls are nested too deeply");
        }
        let locals = vec![None; function.locals.len()];
        let further = match site {
            Some(call) if function.variadic => {
                Some(self.further_arguments(&arguments, function.parameters.len(), call)?)
            }
            _ => None,
        };
        let site = site.map_or(0, |e| std::ptr::from_ref(e) as usize);
        let automatic = further.into_iter().collect();
        self.frames.push(Frame { function: index, site, locals, automatic, further });
        let count = arguments.len().min(function.parameters.len());
        for (i, value) in arguments.into_iter().enumerate().take(count) {
            self.bring(i as u32)?;
            let ty = function.locals[i].ty.clone();
            let object = self.variable(Variable::Local(i as u32), span)?;
            self.store(&pointer(object), &ty, value, span)?;
        }
        for i in count..function.parameters.len() {
            self.bring(i as u32)?;
        }
        let flow = self.block(body)?;
        for i in 0..function.parameters.len() {
            self.end_local(i as u32);
        }
        if let Some(frame) = self.frames.pop() {
            for object in frame.automatic {
                self.end_object(object);
            }
        }
        match flow {
            Flow::Return(value) => Ok(value),
            // `main` returns 0 at its end; of another function nobody may use the value.
            _ => Ok(self.frames.is_empty().then(|| Value::int(0))),
        }
    }

    /// Whether a value is not 0.
    pub(super) fn test(&mut self, expr: &'a Expr) -> Doing<bool> {
        let value = self.value(expr)?;
        self.truth(value, expr.span)
    }
}

/// Whether this is a stream of the C library, open from the beginning.
fn is_stream(name: &str, ty: &Ty) -> bool {
    matches!(name, "stdin" | "stdout" | "stderr") && matches!(ty, Ty::Pointer(_))
}

/// Whether a jump to this finds it inside the statement.
fn contains(statement: &Stmt, target: Target) -> bool {
    match &statement.kind {
        StmtKind::Block(inner) => inner.iter().any(|s| contains(s, target)),
        StmtKind::If(_, yes, no) => contains(yes, target) || no.as_ref().is_some_and(|n| contains(n, target)),
        StmtKind::Loop { body, .. } => contains(body, target),
        // A case belongs to the innermost switch.
        StmtKind::Switch(_, body) => matches!(target, Target::Label(_)) && contains(body, target),
        StmtKind::Case(value, inner) => target == Target::Case(*value) || contains(inner, target),
        StmtKind::Default(inner) => target == Target::Default || contains(inner, target),
        StmtKind::Label(name, inner) => target == Target::Label(*name) || contains(inner, target),
        _ => false,
    }
}

/// The cases of a switch; `None` stands for `default`.
fn collect_cases(statement: &Stmt, out: &mut Vec<Option<i128>>) {
    match &statement.kind {
        StmtKind::Block(inner) => inner.iter().for_each(|s| collect_cases(s, out)),
        StmtKind::If(_, yes, no) => {
            collect_cases(yes, out);
            if let Some(no) = no {
                collect_cases(no, out);
            }
        }
        StmtKind::Loop { body, .. } => collect_cases(body, out),
        StmtKind::Case(value, inner) => {
            out.push(Some(*value));
            collect_cases(inner, out);
        }
        StmtKind::Default(inner) => {
            out.push(None);
            collect_cases(inner, out);
        }
        StmtKind::Label(_, inner) => collect_cases(inner, out),
        _ => {}
    }
}
