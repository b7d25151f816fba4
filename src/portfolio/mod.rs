//! `--engine auto`: which engines are tried on a program, and in which order.

pub mod solo;
