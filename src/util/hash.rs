//! Hash maps and sets with a fixed seed.
//!
//! The same input must give the same bytes on every run, so no container of this crate may hash with
//! a random state. The tidy test rejects any other hash map.

/// A hash map whose iteration order depends on its history only.
pub type Map<K, V> = hashbrown::HashMap<K, V, rustc_hash::FxBuildHasher>;
/// A hash set whose iteration order depends on its history only.
pub type Set<K> = hashbrown::HashSet<K, rustc_hash::FxBuildHasher>;
