//! The `catena` program.

#![forbid(unsafe_code)]

fn main() {}
