//! Random C programs in the interpreter and compiled by the system's C compiler: do they behave the same?
//!
//! `compiled [N [FIRST]]` runs N programs (1000), the same number of each family, from this seed on.

use catena::testing::compiled::{FAMILIES, compare};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|a| a.parse::<u64>().expect("a number"));
    let (total, first) = (numbers.next().unwrap_or(1000), numbers.next().unwrap_or(0));
    let each = total.div_ceil(FAMILIES.len() as u64);
    let directory = std::env::temp_dir().join(format!("compiled-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory for the programs");
    let (mut programs, mut differences) = (0, 0);
    for family in &FAMILIES {
        match compare(family, first..first + each, &directory) {
            Some(Ok(summary)) => {
                println!(
                    "{:12} {} programs, {} fail in both",
                    family.name, summary.programs, summary.failing
                );
                programs += summary.programs;
            }
            Some(Err(difference)) => {
                println!("{:12} {difference}", family.name);
                differences += 1;
            }
            None => println!("{:12} SKIPPED: no C compiler that takes the flags", family.name),
        }
    }
    let _ = std::fs::remove_dir_all(&directory);
    println!("{programs} programs, {differences} differences");
    if differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
