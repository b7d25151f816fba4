//! Random C programs in the interpreter and compiled by the system's C compiler: do they behave the same?
//!
//! `compiled [N [FIRST [FAMILY]]]` runs N programs (1000), the same number of each family, from this seed on. A program
//! is printed if the last word is `print`.

use catena::testing::compiled::{FAMILIES, Family, Summary, compare, program_text};
use std::path::Path;
use std::process::ExitCode;

/// Programs that are compiled at once.
const BATCH: u64 = 100;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |i: usize, default| arguments.get(i).map_or(default, |a| a.parse::<u64>().expect("a number"));
    let (total, first) = (number(0, 1000), number(1, 0));
    let only = arguments.get(2);
    let families: Vec<&Family> = FAMILIES.iter().filter(|f| only.is_none_or(|name| name == f.name)).collect();
    assert!(!families.is_empty(), "there is no such family");
    if arguments.get(3).is_some_and(|a| a == "print") {
        families.iter().for_each(|f| print!("{}", program_text(f, first)));
        return ExitCode::SUCCESS;
    }
    let each = total.div_ceil(families.len() as u64);
    let directory = std::env::temp_dir().join(format!("compiled-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory for the programs");
    let (mut programs, mut refused, mut differences) = (0, 0, 0);
    for family in families {
        match in_batches(family, first, each, &directory) {
            Some(Ok(summary)) => {
                let Summary { programs: same, failing, refused: not_modelled, .. } = summary;
                println!(
                    "{:14} {same} programs, {failing} fail in both, {not_modelled} refused",
                    family.name
                );
                if let Some(reason) = &summary.reason {
                    println!("{:14} refused for example {reason}", "");
                }
                if let Err(complaint) = summary.judge(family) {
                    println!("{complaint}");
                    differences += usize::from(each >= BATCH);
                }
                programs += same;
                refused += not_modelled;
            }
            Some(Err(difference)) => {
                println!("{:14} {difference}", family.name);
                differences += 1;
            }
            None => println!("{:14} SKIPPED: no C compiler", family.name),
        }
    }
    let _ = std::fs::remove_dir_all(&directory);
    println!("{programs} programs, {refused} refused, {differences} differences");
    if differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn in_batches(family: &Family, first: u64, each: u64, directory: &Path) -> Option<Result<Summary, String>> {
    let mut all = Summary::default();
    let mut at = first;
    while at < first + each {
        let next = (at + BATCH).min(first + each);
        match compare(family, at..next, directory)? {
            Ok(summary) => {
                all.programs += summary.programs;
                all.failing += summary.failing;
                all.refused += summary.refused;
                all.reason = summary.reason.or(all.reason);
            }
            Err(difference) => return Some(Err(difference)),
        }
        at = next;
    }
    Some(Ok(all))
}
