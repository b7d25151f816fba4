//! Random C programs in the interpreter and compiled by the system's C compiler: do they behave the same?
//!
//! `compiled [N [FIRST [FAMILY]]]` runs N programs (1000), the same number of each family, from this seed on. A program
//! is printed if the last word is `print`.
//!
//! The family `plaincells` is another comparison: what the engines say of small programs about texts and blocks, without
//! their paths, and how they end for all inputs. The last word is the number of steps for each program (20000) then.

use catena::testing::compiled::{FAMILIES, Family, Summary, compare, program_text};
use catena::testing::cplain;
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
    if only.is_some_and(|name| name == "plaincells") {
        if arguments.get(3).is_some_and(|a| a == "print") {
            print!("{}", cplain::program_text(first));
            return ExitCode::SUCCESS;
        }
        return plain_cells(first..first + total, number(3, 20_000));
    }
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

fn plain_cells(seeds: std::ops::Range<u64>, steps: u64) -> ExitCode {
    let directory = std::env::temp_dir().join(format!("plaincells-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory for the programs");
    let mut all = cplain::Summary::default();
    let mut faults = 0;
    for at in seeds.clone().step_by(BATCH as usize) {
        match cplain::compare(at..(at + BATCH).min(seeds.end), steps, &directory) {
            Some(Ok(summary)) => {
                summary.differences.iter().for_each(|difference| println!("{difference}"));
                all.add(summary);
            }
            Some(Err(fault)) => {
                println!("{fault}");
                faults += 1;
            }
            None => {
                println!("plaincells SKIPPED: no C compiler");
                break;
            }
        }
    }
    let _ = std::fs::remove_dir_all(&directory);
    let cplain::Summary { programs, failing, verified, violated, .. } = all;
    let differences = all.differences.len();
    println!(
        "{programs} programs, {failing} fail, {verified} verified, {violated} violated, {differences} differences, {faults} faults"
    );
    if differences + faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
