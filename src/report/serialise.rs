//! The findings as `serde` wants them: objects with the names of the fields, enumerations by a word or by an object with
//! one field. Written by hand, so that no procedural macro has to be compiled.

use super::findings::{
    AbstractStep, Cell, Check, Content, Diagnostic, Evidence, FunctionReport, Invariant, Place, Report,
    Severity, State, Status, Step, Trace, Unknown, Variable, Verdict, Weakness,
};
use serde_core::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};

/// Objects with these fields.
macro_rules! objects {
    ($($name:ident { $($field:ident),* })*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let fields = [$(stringify!($field)),*];
                let mut object = serializer.serialize_struct(stringify!($name), fields.len())?;
                $(object.serialize_field(stringify!($field), &self.$field)?;)*
                object.end()
            }
        }
    )*};
}

objects! {
    Report { file, functions, diagnostics }
    Evidence { invariants, lines }
    Invariant { place, formula }
    Trace { message, check, place, entry, steps, end, omitted }
    Step { place, source, changes }
    State { variables, cells }
    Variable { name, value }
    Weakness { message, check, place, hint, state, abstract_trace }
    AbstractStep { at, text }
    Unknown { message, place }
    Diagnostic { code, severity, message, place, included_from, help }
    Place { file, line, column }
}

impl Serialize for FunctionReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("FunctionReport", 7)?;
        object.serialize_field("function", &self.function)?;
        object.serialize_field("behavior", &self.behavior)?;
        object.serialize_field("place", &self.place)?;
        object.serialize_field("engine", &self.engine)?;
        object.serialize_field("time_ms", &u64::try_from(self.time.as_millis()).unwrap_or(u64::MAX))?;
        object.serialize_field("verdict", &self.verdict)?;
        object.serialize_field("certificate", &self.certificate)?;
        object.end()
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// The fields as one object.
        struct Fields<'c>(&'c [Variable]);

        impl Serialize for Fields<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.0.iter().map(|field| (&field.name, &field.value)))
            }
        }

        let mut object = serializer.serialize_struct("Cell", 4)?;
        object.serialize_field("name", &self.name)?;
        object.serialize_field("kind", &self.kind)?;
        object.serialize_field("status", &self.status)?;
        object.serialize_field("fields", &Fields(&self.fields))?;
        object.end()
    }
}

/// An object with one field.
fn tagged<S: Serializer>(serializer: S, tag: &str, value: &impl Serialize) -> Result<S::Ok, S::Error> {
    let mut object = serializer.serialize_map(Some(1))?;
    object.serialize_entry(tag, value)?;
    object.end()
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Verdict::Verified(evidence) => tagged(serializer, "verified", evidence),
            Verdict::Violated(trace) => tagged(serializer, "violated", trace),
            Verdict::TooWeak(weakness) => tagged(serializer, "too-weak", weakness),
            Verdict::Unknown(unknown) => tagged(serializer, "unknown", unknown),
        }
    }
}

/// A number, null, `{"cell": name}`, `{"cell": name, "field": name}`, the word `wild`, or a list.
impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Content::Int(n) => match i64::try_from(*n) {
                Ok(small) => serializer.serialize_i64(small),
                Err(_) => serializer.serialize_str(&n.to_string()),
            },
            Content::Null => serializer.serialize_none(),
            Content::Cell(cell) => tagged(serializer, "cell", cell),
            Content::Field { cell, field } => {
                let mut object = serializer.serialize_map(Some(2))?;
                object.serialize_entry("cell", cell)?;
                object.serialize_entry("field", field)?;
                object.end()
            }
            Content::Wild => serializer.serialize_str("wild"),
            Content::Array(elements) => serializer.collect_seq(elements),
        }
    }
}

impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Status::Allocated => "allocated",
            Status::Automatic => "automatic",
            Status::Freed => "freed",
        })
    }
}

impl Serialize for Check {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl Serialize for Severity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Severity::Warning => "warning",
            Severity::Unsupported => "unsupported",
            Severity::Error => "error",
        })
    }
}
