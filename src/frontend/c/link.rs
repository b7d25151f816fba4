//! Which files belong to one program.
//!
//! A file defines names for others and needs names that it only declares. A program is a file with `main`, and the files
//! that define what it needs, and what these need. A name that several files define is ambiguous; files that are named
//! together with one `main` are meant as one program, so there it is reported, by reading them together. Files that no
//! program needs are grouped by what they need of each other.

use super::ast::{Declaration, Item, TypeExpr};
use super::token::Names;
use super::{Input, STACK, clean, parse, preprocess, with_stack};
use crate::frontend::diagnostic::Sources;

/// Files that are read together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Their numbers.
    pub files: Vec<usize>,
    /// Those of them that no group before has.
    pub new: Vec<usize>,
}

/// What a file has for others and needs of them.
#[derive(Debug, Default)]
struct Interface {
    defines: Vec<String>,
    needs: Vec<String>,
    has_main: bool,
}

/// The groups of files. `together`: they are named one by one, so with one `main` they are meant as one program.
pub fn groups(inputs: &[Input], together: bool) -> Vec<Group> {
    if inputs.len() < 2 {
        return inputs.iter().map(|_| Group { files: vec![0], new: vec![0] }).collect();
    }
    let read = || inputs.iter().map(interface).collect::<Vec<_>>();
    let interfaces =
        with_stack(STACK, read).unwrap_or_else(|_| inputs.iter().map(|_| Interface::default()).collect());
    let mains: Vec<usize> = (0..inputs.len()).filter(|i| interfaces[*i].has_main).collect();
    let strict = together && mains.len() == 1;
    let mut groups: Vec<Group> = Vec::new();
    let mut seen = vec![false; inputs.len()];
    for start in mains.iter().copied().chain(0..inputs.len()) {
        if seen[start] {
            continue;
        }
        let mut files = needed(start, &interfaces, strict);
        files.sort_unstable();
        // What is read together has one data model.
        let lp64 = inputs[start].options.lp64;
        files.retain(|i| inputs[*i].options.lp64 == lp64);
        let new = files.iter().copied().filter(|i| !std::mem::replace(&mut seen[*i], true)).collect();
        groups.push(Group { files, new });
    }
    groups.sort_by_key(|g| g.new.first().copied());
    groups
}

/// A file and those that define what it needs, directly or for others.
fn needed(start: usize, interfaces: &[Interface], strict: bool) -> Vec<usize> {
    let mut files = vec![start];
    let mut at = 0;
    while let Some(file) = files.get(at).copied() {
        at += 1;
        for name in &interfaces[file].needs {
            let defines = |i: &usize| interfaces[*i].defines.contains(name);
            if files.iter().any(defines) && !strict {
                continue;
            }
            let mut found = (0..interfaces.len()).filter(|i| !interfaces[*i].has_main).filter(defines);
            match (found.next(), found.next()) {
                (Some(only), None) if !files.contains(&only) => files.push(only),
                (Some(_), Some(_)) if strict => {
                    let all = (0..interfaces.len()).filter(defines).filter(|i| !files.contains(i));
                    let all: Vec<usize> = all.collect();
                    files.extend(all);
                }
                _ => {}
            }
        }
    }
    if strict && interfaces[start].has_main {
        // Whoever defines the same once more is in the way.
        let taken: Vec<&String> = files.iter().flat_map(|i| &interfaces[*i].defines).collect();
        let others = (0..interfaces.len()).filter(|i| !files.contains(i));
        let clashing: Vec<usize> =
            others.filter(|i| interfaces[*i].defines.iter().any(|name| taken.contains(&name))).collect();
        files.extend(clashing);
    }
    files
}

/// Reads a file as far as it takes; what is wrong with it is said later.
fn interface(input: &Input) -> Interface {
    let mut out = Interface::default();
    let mut sources = Sources::default();
    let Some(main) = clean(&input.text).ok().and_then(|text| sources.add(&input.name, text.to_owned()).ok())
    else {
        return out;
    };
    let (mut names, mut diagnostics) = (super::check::known_names(), Vec::new());
    let text = preprocess::preprocess(&mut sources, main, &input.options, &mut names, &mut diagnostics);
    let parse = parse::parse(
        &text.tokens,
        &text.packed,
        input.options.property.is_some(),
        &mut names,
        &mut diagnostics,
    );
    for item in &parse.items {
        match item {
            Item::Function(function) if !function.specifiers.is_private() => {
                let name = names.text(function.name);
                out.has_main |= name == "main";
                out.defines.push(name.to_owned());
            }
            Item::Declaration(declaration, _) => out.declaration(declaration, &names),
            _ => {}
        }
    }
    out.defines.sort_unstable();
    out.defines.dedup();
    out.needs.retain(|name| out.defines.binary_search(name).is_err());
    out.needs.sort_unstable();
    out.needs.dedup();
    out
}

impl Interface {
    fn declaration(&mut self, declaration: &Declaration, names: &Names) {
        let specifiers = declaration.specifiers;
        if specifiers.typedef || specifiers.is_static {
            return;
        }
        for declarator in &declaration.declarators {
            let name = names.text(declarator.name).to_owned();
            let function = matches!(declarator.ty, TypeExpr::Function(_));
            if function || (specifiers.external && declarator.init.is_none()) {
                self.needs.push(name);
            } else {
                self.defines.push(name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::c::Options;

    fn groups_of(texts: &[&str], together: bool) -> Vec<Vec<usize>> {
        let input = |text: &&str| Input {
            name: "t.c".to_owned(),
            text: text.as_bytes().to_vec(),
            options: Options::default(),
        };
        let inputs: Vec<Input> = texts.iter().map(input).collect();
        groups(&inputs, together).into_iter().map(|g| g.files).collect()
    }

    #[test]
    fn files_are_grouped_by_what_they_need() {
        let main = "int f(void); int main(void) { return f(); }";
        let f = "extern int x; int f(void) { return x; }";
        let x = "int x = 1;";
        let other = "int g(void) { return 0; }";
        assert_eq!(groups_of(&[x, f, main, other], true), [vec![0, 1, 2], vec![3]]);
        assert_eq!(groups_of(&[main], true), [vec![0]]);
        assert_eq!(groups_of(&[f, other, x], true), [vec![0, 2], vec![1]]);
        // Two programs share a file; each definition of an ambiguous name stays out.
        assert_eq!(groups_of(&[main, main, f, x], true), [vec![0, 2, 3], vec![1, 2, 3]]);
        assert_eq!(groups_of(&[main, f, f], false), [vec![0], vec![1], vec![2]]);
        // With one `main` the files are one program, and the second definition is an error.
        assert_eq!(groups_of(&[main, f, f], true), [vec![0, 1, 2]]);
        assert_eq!(
            groups_of(&["int f(void) { return 0; } int main(void) { return f(); }", f], true),
            [vec![0, 1]]
        );
        // Private names are nobody's business.
        assert_eq!(groups_of(&[main, "static int f(void) { return 1; }"], true), [vec![0], vec![1]]);
    }
}
