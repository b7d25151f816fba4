//! What functions suppose about parts at their entry is true in the states that programs reach: random programs are
//! run, and in the state at the end every cell is looked at.

use super::super::{Options, load};
use crate::program::interp::{Machine, Nothing};
use crate::program::{Check, FieldId, Program, Question, State, Type, Value};
use crate::testing::cobjects;

/// The links to parts and the links back, in pairs.
fn links(program: &Program) -> Vec<(FieldId, FieldId)> {
    let mut pairs = Vec::new();
    for (i, link) in program.fields.iter().enumerate() {
        let around = &program.structs[link.owner.index()].name;
        let back = format!("{} of {around}", link.name);
        let found = program.fields.iter().position(|f| f.name == back && link.ty == Type::Ptr(f.owner));
        pairs.extend(found.map(|j| (FieldId(i as u32), FieldId(j as u32))));
    }
    pairs
}

fn value(program: &Program, state: &State, cell: usize, field: FieldId) -> Value {
    let fields = &program.structs[state.cells[cell].of.index()].fields;
    let place = fields.iter().position(|f| *f == field).expect("a field of the cell");
    state.cells[cell].fields[place]
}

/// The number of parts met.
fn check_coupled(program: &Program, state: &State, text: &str) -> usize {
    let mut met = 0;
    let pairs = links(program);
    for (i, cell) in state.cells.iter().enumerate() {
        let ways = pairs.iter().filter(|(_, back)| program.fields[back.index()].owner == cell.of);
        let taken = ways.filter(|(_, back)| value(program, state, i, *back) != Value::Null);
        assert!(taken.count() <= 1, "part of two\n{text}");
    }
    for (link, back) in pairs {
        let (around, inside) = (program.fields[link.index()].owner, program.fields[back.index()].owner);
        for (i, cell) in state.cells.iter().enumerate() {
            if cell.of == around && cell.status.is_valid() {
                let Value::Cell(part) = value(program, state, i, link) else { panic!("no part\n{text}") };
                assert!(state.cells[part.index()].status.is_valid(), "{text}");
                let Value::Cell(home) = value(program, state, part.index(), back) else {
                    panic!("no way back\n{text}")
                };
                assert_eq!(home.index(), i, "{text}");
                met += 1;
            }
            if cell.of == inside
                && let Value::Cell(home) = value(program, state, i, back)
            {
                let Value::Cell(part) = value(program, state, home.index(), link) else {
                    panic!("no part\n{text}")
                };
                assert_eq!(part.index(), i, "{text}");
                assert_eq!(cell.status.is_valid(), state.cells[home.index()].status.is_valid(), "{text}");
            }
        }
    }
    met
}

#[test]
fn parts_belong_to_one_cell_each() {
    let mut met = 0;
    for seed in 0..60 {
        let text = format!("{}{}", cobjects::PRELUDE, cobjects::function(seed, "main", seed % 2 == 1));
        let unit = load("generated.c", text.as_bytes(), &Options::default());
        let main = unit.functions.iter().find(|f| f.name == "main").expect("a main");
        let program = main.program.as_ref().expect("a program");
        let question = Question { contract: 0, checks: vec![Check::Memsafety] };
        let machine = Machine::new(program, &question);
        let mut run = machine.start_strict(State::new(program));
        let _ = machine.run(&mut run, &mut Nothing, 100_000);
        met += check_coupled(program, &run.state, &text);
    }
    assert!(met > 50, "{met} parts");
}
