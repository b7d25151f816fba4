//! Ends of the program, and what must not be lost or left there (DESIGN 6, decision 10).

use super::machine::{Doing, Fault, Halt, Machine};
use super::memory::Storage;
use super::value::{ObjectId, Value};
use crate::program::{Check, Property};
use crate::util::span::Span;

/// Functions for the end of the program: as many as every library takes.
const MAX_AT_EXIT: usize = 32;

impl Machine<'_> {
    /// `main` returned: its variables hold nothing any more.
    pub(super) fn returned(&mut self, span: Span) -> Doing<()> {
        let globals: Vec<ObjectId> = self.static_objects();
        self.check_end(&globals, &[], span)
    }

    /// Calls the functions that were to be called when the program ends.
    pub(super) fn run_at_exit(&mut self, span: Span) -> Doing<()> {
        while let Some(function) = self.at_exit.pop() {
            self.invoke(function, Vec::new(), None, span)?;
        }
        Ok(())
    }

    /// `exit`
    pub(super) fn exit(&mut self, span: Span) -> Halt {
        match self.run_at_exit(span) {
            Ok(()) => self.end(span),
            Err(halt) => halt,
        }
    }

    /// `atexit`: functions of the unit that take nothing.
    pub(super) fn register(&mut self, function: &Value, span: Span) -> Doing<Value> {
        match function {
            Value::Function(index)
                if self.function(*index).defined && self.function(*index).parameters.is_empty() =>
            {
                if self.at_exit.len() >= MAX_AT_EXIT {
                    return self.give_up(span, "so many functions for the end of the program");
                }
                self.at_exit.push(*index);
                Ok(Value::int(0))
            }
            _ => self.give_up(span, "this function is to be called at the end of the program"),
        }
    }

    /// The program ends inside of a function: the variables of all calls keep what they lead to.
    pub(super) fn end(&mut self, span: Span) -> Halt {
        let mut roots = self.static_objects();
        for frame in &self.frames {
            roots.extend(frame.locals.iter().flatten());
            roots.extend(&frame.automatic);
        }
        let pending: Vec<Value> = self.pending.clone();
        match self.check_end(&roots, &pending, span) {
            Ok(()) => Halt::Ended,
            Err(halt) => halt,
        }
    }

    /// The program ends because of an error. Where memory must be freed at the end, that is a class of its own in sums of
    /// states (`search`): whether memory is left is only known as long as none is dropped.
    pub(super) fn end_of_error(&mut self, span: Span) -> Halt {
        if self.options.property != Some(Property::Memcleanup) || self.summing.is_none() {
            return self.end(span);
        }
        if self.settled.contains(&Check::Asserts) {
            return Halt::Cut;
        }
        if self.settled.contains(&Check::Leaks) {
            let message = "an error is reached, and memory may be left there".to_owned();
            return Halt::Failed(Fault { check: Check::Asserts, message, span });
        }
        match self.end(span) {
            Halt::Failed(fault) => Halt::Failed(Fault { check: Check::Asserts, ..fault }),
            halt => halt,
        }
    }

    fn static_objects(&self) -> Vec<ObjectId> {
        let objects = (0..).zip(&self.memory.objects);
        objects.filter(|(_, o)| o.storage == Storage::Static).map(|(i, _)| i).collect()
    }

    fn check_end(&mut self, roots: &[ObjectId], values: &[Value], span: Span) -> Doing<()> {
        let left = |o: &super::memory::Object| o.alive && o.storage == Storage::Heap;
        let fault = |message: &str| {
            Err(Halt::Failed(Fault { check: Check::Leaks, message: message.to_owned(), span }))
        };
        if self.settled.contains(&Check::Leaks) {
        } else if self.options.property == Some(Property::Memcleanup) {
            if self.memory.objects.iter().any(left) {
                return fault("memory is not freed where the program ends");
            }
        } else if super::asks(self.options, Check::Leaks)
            && let Some(lost) = self.memory.lost(values, roots).first()
        {
            let object = self.memory.object(*lost);
            return match &object.ty {
                Some(ty) => fault(&format!("a cell of `{}` is leaked", self.types().show(ty))),
                None => fault(&format!("a block of {} bytes is leaked", object.size)),
            };
        }
        if super::asks(self.options, Check::Garbage) {
            return self.give_up(span, "garbage is not looked for on paths");
        }
        Ok(())
    }
}
