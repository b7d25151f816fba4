//! Objects by number. A number has the place of its object and the generation of that place, so that a number whose
//! object is closed is never that of another one.

use crate::catena_handle;
use crate::status::{Fail, catena_status, guard};
use catena::CancelToken;
use catena_bindings::{Terms, Text};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

/// What a number stands for.
#[derive(Clone)]
pub(crate) enum Object {
    Solver(Arc<Mutex<Terms>>, CancelToken),
    Dialogue(Arc<Mutex<Text>>, CancelToken),
    Token(CancelToken),
}

impl Object {
    fn kind(&self) -> &'static str {
        match self {
            Object::Solver(..) => "solver",
            Object::Dialogue(..) => "dialogue",
            Object::Token(_) => "token",
        }
    }

    fn token(&self) -> &CancelToken {
        match self {
            Object::Solver(_, token) | Object::Dialogue(_, token) | Object::Token(token) => token,
        }
    }
}

struct Slot {
    generation: u32,
    object: Option<Object>,
}

struct Table {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

static TABLE: Mutex<Table> = Mutex::new(Table { slots: Vec::new(), free: Vec::new() });

fn table() -> Result<MutexGuard<'static, Table>, Fail> {
    TABLE.lock().map_err(|_| Fail::internal("the table of handles is broken"))
}

fn wrong(handle: catena_handle) -> Fail {
    Fail(
        catena_status::CATENA_ERROR_HANDLE,
        format!("there is no object {handle}: it is closed or never was"),
    )
}

impl Table {
    fn slot(&mut self, handle: catena_handle) -> Result<(u32, &mut Slot), Fail> {
        let (generation, place) = ((handle >> 32) as u32, handle as u32);
        let slot = self.slots.get_mut(place as usize);
        let slot = slot.filter(|slot| slot.generation == generation && slot.object.is_some());
        slot.map(|slot| (place, slot)).ok_or_else(|| wrong(handle))
    }
}

/// A number for an object. No number is 0, because generations begin with 1.
pub(crate) fn open(object: Object) -> Result<catena_handle, Fail> {
    let mut table = table()?;
    let place = match table.free.pop() {
        Some(place) => place,
        None => {
            let place = u32::try_from(table.slots.len()).map_err(|_| Fail::internal("too many objects"))?;
            table.slots.push(Slot { generation: 1, object: None });
            place
        }
    };
    let slot = &mut table.slots[place as usize];
    slot.object = Some(object);
    Ok(u64::from(slot.generation) << 32 | u64::from(place))
}

fn find(handle: catena_handle) -> Result<Object, Fail> {
    table()?.slot(handle)?.1.object.clone().ok_or_else(|| wrong(handle))
}

fn other_kind(found: &Object, expected: &str) -> Fail {
    let text = format!("expected a {expected}, found a {}", found.kind());
    Fail(catena_status::CATENA_ERROR_HANDLE, text)
}

fn locked<T>(object: &Mutex<T>) -> Result<MutexGuard<'_, T>, Fail> {
    object.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => {
            Fail(catena_status::CATENA_ERROR_BUSY, "it is at work in another thread".to_owned())
        }
        TryLockError::Poisoned(_) => Fail::internal("it had a fault before; close it"),
    })
}

/// Does something with a solver.
pub(crate) fn with_solver<T>(
    handle: catena_handle,
    work: impl FnOnce(&mut Terms) -> Result<T, Fail>,
) -> Result<T, Fail> {
    match find(handle)? {
        Object::Solver(solver, _) => work(&mut *locked(&solver)?),
        other => Err(other_kind(&other, "solver")),
    }
}

/// Does something with a dialogue.
pub(crate) fn with_dialogue<T>(
    handle: catena_handle,
    work: impl FnOnce(&mut Text) -> Result<T, Fail>,
) -> Result<T, Fail> {
    match find(handle)? {
        Object::Dialogue(dialogue, _) => work(&mut *locked(&dialogue)?),
        other => Err(other_kind(&other, "dialogue")),
    }
}

/// The flag of a token; a new one for handle 0.
pub(crate) fn token_of(handle: catena_handle) -> Result<CancelToken, Fail> {
    if handle == 0 {
        return Ok(CancelToken::new());
    }
    match find(handle)? {
        Object::Token(token) => Ok(token),
        other => Err(other_kind(&other, "token")),
    }
}

/// Stops what a solver or dialogue does in another thread, or its next check if it does nothing; the answer is
/// unknown, and the one after that is as if nothing had happened. A token stays cancelled until
/// `catena_token_reset()`.
#[unsafe(no_mangle)]
pub extern "C" fn catena_cancel(handle: catena_handle) -> catena_status {
    guard(|| {
        find(handle)?.token().cancel();
        Ok(())
    })
}

/// Closes a solver, a dialogue or a token; its number stands for nothing from now on. Work that another thread does with
/// it is cancelled and ends soon.
#[unsafe(no_mangle)]
pub extern "C" fn catena_close(handle: catena_handle) -> catena_status {
    guard(|| {
        let mut table = table()?;
        let (place, slot) = table.slot(handle)?;
        let object = slot.object.take();
        // A place whose generations are used up is given to nobody any more.
        let again = slot.generation.checked_add(1);
        slot.generation = again.unwrap_or(0);
        if again.is_some() {
            table.free.push(place);
        }
        drop(table);
        if let Some(object) = object {
            object.token().cancel();
        }
        Ok(())
    })
}
