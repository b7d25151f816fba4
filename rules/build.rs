//! Compiles `rules/*.rules`.

fn main() {
    println!("cargo::rerun-if-changed=rules");
}
