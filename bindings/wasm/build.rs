//! Gives the module a larger stack than the default of one megabyte: readers recurse over what they read.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo:rustc-link-arg-cdylib=-zstack-size={}", 64 << 20);
    }
}
