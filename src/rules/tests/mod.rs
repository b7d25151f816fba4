//! Tests of the rule language, the gate and the compiler as a whole.

mod gate;
mod language;
