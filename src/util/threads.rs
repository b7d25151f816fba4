//! Work on threads of its own, also where there are none.
//!
//! Readers and checkers recurse over what they read, within bounds that need more stack than a caller may have. So they
//! run on a thread with a stack of a given size. `wasm32-unknown-unknown` has no threads: there the work is done at
//! once, on the stack that the host gives, and a host that has too little of it traps.

/// Whether a second thread can be had.
pub const AVAILABLE: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Does the work on a stack of this size. A panic goes on in the caller; `Err` says why there is no thread.
pub fn with_stack<T: Send>(size: usize, work: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    if !AVAILABLE {
        return Ok(work());
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(size).spawn_scoped(scope, work)?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

#[cfg(test)]
mod tests {
    use super::with_stack;

    #[test]
    fn the_stack_is_large_and_the_result_comes_back() {
        fn depth(n: u64) -> u64 {
            let here = std::hint::black_box([n; 64]);
            if n == 0 { 0 } else { depth(n - 1) + here[0] - (n - 1) }
        }
        assert_eq!(with_stack(256 << 20, || depth(100_000)).expect("a thread"), 100_000);
    }

    #[test]
    fn a_panic_goes_on_in_the_caller() {
        let caught = std::panic::catch_unwind(|| with_stack(1 << 20, || panic!("no such luck")));
        assert!(caught.is_err());
    }
}
