//! The built-in shapes.

use super::{Shape, parse};
use std::sync::OnceLock;

macro_rules! sources {
    ($($name:literal),*) => {
        /// Names of the built-in files with their text.
        pub const SOURCES: &[(&str, &str)] = &[
            $((concat!("rules/shapes/", $name, ".rules"),
               include_str!(concat!("../../../rules/shapes/", $name, ".rules"))),)*
        ];
    };
}

sources!("back", "batch", "doubly", "father", "first", "forest", "guarded", "injective", "skip", "tree");

/// The built-in shapes, in the order of their names.
pub fn shapes() -> &'static [Shape] {
    static SHAPES: OnceLock<Vec<Shape>> = OnceLock::new();
    SHAPES.get_or_init(|| {
        let read = |(file, text): &(&str, &str)| match parse(file, text) {
            Ok(shape) => shape,
            Err(errors) => panic!("a built-in shape can be read: {}", errors[0]),
        };
        SOURCES.iter().map(read).collect()
    })
}
