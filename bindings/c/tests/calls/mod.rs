//! Random sequences of calls with numbers that are right, wrong, closed and invented: every call gives a status, what
//! it says agrees with a small model of which objects are open, and nothing crashes.

use catena_c::*;
use std::ffi::{CString, c_char};
use std::ptr::{null, null_mut};

/// Where choices come from: some bytes first, if there are any, then a small generator. The same gives the same calls.
pub struct Random {
    bytes: Vec<u8>,
    at: usize,
    state: u64,
}

impl Random {
    /// From a number that is not 0.
    pub fn seeded(state: u64) -> Random {
        Random { bytes: Vec::new(), at: 0, state }
    }

    /// From bytes: two for each choice as long as there are any.
    pub fn from_bytes(bytes: &[u8]) -> Random {
        Random { bytes: bytes.to_vec(), at: 0, state: 1 + bytes.len() as u64 }
    }

    fn next(&mut self) -> u64 {
        if let Some([low, high]) = self.bytes.get(self.at..self.at + 2) {
            self.at += 2;
            return u64::from(*low) + 256 * u64::from(*high);
        }
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// One of these, or a number from nowhere.
    fn of(&mut self, known: &[u64]) -> u64 {
        match self.below(12) {
            0 => self.next(),
            1 => self.next() % 5,
            _ if known.is_empty() => 0,
            _ => known[self.below(known.len())],
        }
    }
}

/// What the calls gave so far. Closed handles stay among them.
#[derive(Default)]
struct World {
    handles: Vec<u64>,
    open: Vec<u64>,
    sorts: Vec<u64>,
    functions: Vec<u64>,
    terms: Vec<u64>,
    strings: Vec<*mut c_char>,
    live: Vec<*mut c_char>,
    /// How often a check answered, and a text was given: a test of errors only would show little.
    checks: usize,
    texts: usize,
}

const OK: catena_status = catena_status::CATENA_OK;

fn name(random: &mut Random) -> CString {
    let bytes: &[&[u8]] =
        &[b"x", b"next", b"n", b"Cell", b"", b"\xff\xfe", b"a|b", b"(assert true)(check-sat)", b"12"];
    CString::new(bytes[random.below(bytes.len())]).expect("no zero inside")
}

fn call(random: &mut Random, w: &mut World) {
    let handle = random.of(&w.handles);
    let name = name(random);
    let name = if random.below(30) == 0 { null() } else { name.as_ptr() };
    let sort = random.of(&w.sorts);
    let field = random.of(&w.functions);
    let [a, b, c] = [(); 3].map(|()| random.of(&w.terms));
    let list = [a, b, c];
    let count = random.below(4);
    let (mut id, mut text, mut size) = (0u64, null_mut(), 0usize);
    let mut answer = catena_answer::CATENA_UNKNOWN;
    let out = if random.below(40) == 0 { null_mut() } else { &raw mut id };
    let text_out = if random.below(40) == 0 { null_mut() } else { &raw mut text };
    // SAFETY: pointers are null or lead to values of their types that live until the end of this function.
    unsafe {
        match random.below(32) {
            0 => {
                if catena_solver_new(random.below(2) == 0, out) == OK {
                    w.handles.push(id);
                    w.open.push(id);
                }
            }
            1 => {
                if catena_dialogue_new(0, 10_000, 0, out) == OK {
                    w.handles.push(id);
                    w.open.push(id);
                }
            }
            2 => {
                if catena_token_new(out) == OK {
                    w.handles.push(id);
                    w.open.push(id);
                }
            }
            3 if random.below(4) == 0 => {
                let was_open = w.open.contains(&handle);
                assert_eq!(catena_close(handle) == OK, was_open, "{handle}");
                w.open.retain(|h| *h != handle);
            }
            4 => assert_eq!(catena_cancel(handle) == OK, w.open.contains(&handle)),
            5 if catena_declare_sort(handle, name, out) == OK => w.sorts.push(id),
            6 if catena_declare_function(handle, name, &sort, count.min(1), sort, out) == OK => {
                w.functions.push(id)
            }
            7 | 8 if catena_declare_constant(handle, name, sort, out) == OK => w.terms.push(id),
            9 if catena_variable(handle, name, sort, out) == OK => w.terms.push(id),
            10 if catena_reach(handle, field, a, b, out) == OK => w.terms.push(id),
            11 if catena_between(handle, field, a, b, c, out) == OK => w.terms.push(id),
            12 if catena_and(handle, list.as_ptr(), count, out) == OK => w.terms.push(id),
            13 if catena_not(handle, a, out) == OK => w.terms.push(id),
            14 if catena_eq(handle, a, b, out) == OK => w.terms.push(id),
            15 if catena_apply(handle, field, list.as_ptr(), count, out) == OK => w.terms.push(id),
            16 if catena_forall(handle, list.as_ptr(), count, a, out) == OK => w.terms.push(id),
            17 if catena_exists(handle, list.as_ptr(), count, b, out) == OK => w.terms.push(id),
            18 if catena_int(handle, random.next() as i64, out) == OK => w.terms.push(id),
            19 if catena_add(handle, list.as_ptr(), count, out) == OK => w.terms.push(id),
            20 if catena_lt(handle, a, b, out) == OK => w.terms.push(id),
            21 if catena_ite(handle, a, b, c, out) == OK => w.terms.push(id),
            22 => drop(catena_assert(handle, a)),
            23 => drop(catena_assert_named(handle, name, a)),
            24 => drop(if random.below(2) == 0 { catena_push(handle) } else { catena_pop(handle) }),
            25 => {
                let _ = catena_set_limits(handle, 0, 5_000, 0);
                let status = catena_check(handle, list.as_ptr(), count.saturating_sub(2), &raw mut answer);
                w.checks += usize::from(status == OK);
            }
            26 => {
                let status = match random.below(8) {
                    0 => catena_model(handle, text_out),
                    1 => catena_reason(handle, text_out),
                    2 => catena_value(handle, a, text_out),
                    3 => catena_core_name(handle, count, text_out),
                    4 => catena_term_text(handle, a, text_out),
                    5 => catena_script(handle, text_out),
                    6 => catena_dialogue_proof(handle, text_out),
                    _ => catena_dialogue_run(handle, name, text_out),
                };
                if status == OK {
                    w.texts += 1;
                    w.strings.push(text);
                    w.live.push(text);
                }
            }
            27 => {
                let mut second = null_mut();
                if catena_proof(handle, text_out, &raw mut second) == OK {
                    w.strings.extend([text, second]);
                    w.live.extend([text, second]);
                }
            }
            28 => {
                let _ = catena_core_size(handle, &raw mut size);
                let _ = catena_core_assumptions_size(handle, &raw mut size);
                let _ = catena_core_assumption(handle, count, out);
                let _ = catena_certify(handle);
            }
            29 => {
                let _ = catena_value_int(handle, a, out.cast());
                let _ = catena_value_element(handle, a, out.cast());
                let _ = catena_size(handle, sort, out.cast());
                let _ = catena_sort_of(handle, a, out);
            }
            30 if !w.strings.is_empty() => {
                let string = w.strings[random.below(w.strings.len())];
                let is_live = w.live.contains(&string);
                assert_eq!(catena_string_free(string) == OK, is_live);
                w.live.retain(|s| *s != string);
            }
            _ => drop(catena_token_reset(handle)),
        }
    }
}

/// What a sequence of calls came to: checks that were answered, texts, terms.
#[derive(Default)]
pub struct Done {
    pub checks: usize,
    pub texts: usize,
    pub terms: usize,
}

/// Makes so many calls, and closes what is still open.
pub fn sequence(mut random: Random, calls: usize) -> Done {
    let mut world = World { sorts: vec![CATENA_SORT_BOOL, CATENA_SORT_INT], ..World::default() };
    for _ in 0..calls {
        call(&mut random, &mut world);
    }
    let done = Done { checks: world.checks, texts: world.texts, terms: world.terms.len() };
    for string in world.live {
        assert_eq!(catena_string_free(string), OK);
    }
    for handle in world.open {
        assert_eq!(catena_close(handle), OK);
    }
    done
}
