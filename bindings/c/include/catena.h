/* Catena: decides formulas about linked heap structures, and verifies C programs. See docs/c.md.
 *
 * Made by cbindgen from bindings/c/src; do not edit.
 *
 * Every function returns a status and writes its results through pointers; on an error nothing is written, and
 * catena_last_error() says what is wrong. Handles are numbers: null pointers, numbers that were never given out,
 * handles that are closed and strings that are not UTF-8 are errors, never a crash. Pointers must point to what their
 * type says; strings end with a zero byte. Strings that a function gives out are freed with catena_string_free().
 * Any function may be called from any thread; a solver that is busy in another thread answers CATENA_ERROR_BUSY, and
 * catena_cancel() stops it. */

#ifndef CATENA_H
#define CATENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/**
 * The number of this interface: it changes when a program has to be compiled again.
 */
#define CATENA_ABI 0

/**
 * How a call went.
 */
typedef enum {
  /**
   * All is well.
   */
  CATENA_OK = 0,
  /**
   * A pointer is null.
   */
  CATENA_ERROR_NULL = 1,
  /**
   * A handle, a number or a string that was never given out, or is closed or freed.
   */
  CATENA_ERROR_HANDLE = 2,
  /**
   * A string is not UTF-8.
   */
  CATENA_ERROR_UTF8 = 3,
  /**
   * The solver is at work in another thread.
   */
  CATENA_ERROR_BUSY = 4,
  /**
   * A term, symbol or sort cannot be built.
   */
  CATENA_ERROR_BUILD = 5,
  /**
   * A term, symbol or sort belongs to another solver.
   */
  CATENA_ERROR_FOREIGN = 6,
  /**
   * No scope is open.
   */
  CATENA_ERROR_NO_SCOPE = 7,
  /**
   * The last check has no such answer, or something was changed since.
   */
  CATENA_ERROR_NO_ANSWER = 8,
  /**
   * A term has no value of this kind, or one that does not fit.
   */
  CATENA_ERROR_VALUE = 9,
  /**
   * There is no proof, or it does not check.
   */
  CATENA_ERROR_PROOF = 10,
  /**
   * A fault of the library's; the object should be closed.
   */
  CATENA_ERROR_INTERNAL = 11,
} catena_status;

/**
 * The answer to a check.
 */
typedef enum {
  /**
   * Satisfiable: there is a model.
   */
  CATENA_SAT = 1,
  /**
   * Unsatisfiable: there is a core, and a proof if they are kept.
   */
  CATENA_UNSAT = 2,
  /**
   * Not decided: there is a reason.
   */
  CATENA_UNKNOWN = 3,
} catena_answer;

/**
 * A solver, a dialogue or a token. 0 is none.
 */
typedef uint64_t catena_handle;

/**
 * A sort of one solver, or `CATENA_SORT_BOOL` or `CATENA_SORT_INT` of every solver. 0 is none.
 */
typedef uint64_t catena_sort;

/**
 * A function, predicate or link field of one solver. 0 is none.
 */
typedef uint64_t catena_function;

/**
 * A term of one solver. The same term has the same number. 0 is none.
 */
typedef uint64_t catena_term;

/**
 * Truth values.
 */
#define CATENA_SORT_BOOL 1

/**
 * Integers.
 */
#define CATENA_SORT_INT 2

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The `CATENA_ABI` of the library, to be compared with that of the header.
 */
uint32_t catena_abi(void);

/**
 * Declares an uninterpreted sort.
 */
catena_status catena_declare_sort(catena_handle solver, const char *name, catena_sort *out);

/**
 * Declares a function, or a predicate if its result is `CATENA_SORT_BOOL`. A function from an uninterpreted sort to
 * itself is a link field.
 */
catena_status catena_declare_function(catena_handle solver,
                                      const char *name,
                                      const catena_sort *arguments,
                                      size_t count,
                                      catena_sort result,
                                      catena_function *out);

/**
 * Declares a constant.
 */
catena_status catena_declare_constant(catena_handle solver,
                                      const char *name,
                                      catena_sort sort,
                                      catena_term *out);

/**
 * A variable for a quantifier. Each call makes a new one, whatever the name.
 */
catena_status catena_variable(catena_handle solver, const char *name, catena_sort sort, catena_term *out);

/**
 * A truth value.
 */
catena_status catena_bool(catena_handle solver, bool value, catena_term *out);

/**
 * An integer.
 */
catena_status catena_int(catena_handle solver, int64_t value, catena_term *out);

/**
 * An integer of any size, in decimal digits.
 */
catena_status catena_int_text(catena_handle solver, const char *digits, catena_term *out);

/**
 * Negation.
 */
catena_status catena_not(catena_handle solver, catena_term formula, catena_term *out);

/**
 * `left` implies `right`.
 */
catena_status catena_implies(catena_handle solver, catena_term left, catena_term right, catena_term *out);

/**
 * Exclusive or.
 */
catena_status catena_xor(catena_handle solver, catena_term left, catena_term right, catena_term *out);

/**
 * Equality of two terms of one sort, formulas included.
 */
catena_status catena_eq(catena_handle solver, catena_term left, catena_term right, catena_term *out);

/**
 * `left - right`.
 */
catena_status catena_sub(catena_handle solver, catena_term left, catena_term right, catena_term *out);

/**
 * `left * right`, one of which must be a number.
 */
catena_status catena_mul(catena_handle solver, catena_term left, catena_term right, catena_term *out);

/**
 * `left <= right`.
 */
catena_status catena_le(catena_handle solver, catena_term left, catena_term right, catena_term *out);

/**
 * `left < right`.
 */
catena_status catena_lt(catena_handle solver, catena_term left, catena_term right, catena_term *out);

/**
 * If `condition` then `left` else `right`, of any sort.
 */
catena_status catena_ite(catena_handle solver,
                         catena_term condition,
                         catena_term left,
                         catena_term right,
                         catena_term *out);

/**
 * `to` is reached from `from` by zero or more steps along the link field.
 */
catena_status catena_reach(catena_handle solver,
                           catena_function field,
                           catena_term from,
                           catena_term to,
                           catena_term *out);

/**
 * `via` lies on the simple path along the link field from `from` to `to`.
 */
catena_status catena_between(catena_handle solver,
                             catena_function field,
                             catena_term from,
                             catena_term via,
                             catena_term to,
                             catena_term *out);

/**
 * Conjunction of any number of formulas.
 */
catena_status catena_and(catena_handle solver, const catena_term *terms, size_t count, catena_term *out);

/**
 * Disjunction of any number of formulas.
 */
catena_status catena_or(catena_handle solver, const catena_term *terms, size_t count, catena_term *out);

/**
 * All terms are different.
 */
catena_status catena_distinct(catena_handle solver, const catena_term *terms, size_t count, catena_term *out);

/**
 * Sum of any number of integers.
 */
catena_status catena_add(catena_handle solver, const catena_term *terms, size_t count, catena_term *out);

/**
 * A symbol applied to arguments.
 */
catena_status catena_apply(catena_handle solver,
                           catena_function function,
                           const catena_term *terms,
                           size_t count,
                           catena_term *out);

/**
 * For all values of the variables, made by `catena_variable()`, the body holds.
 */
catena_status catena_forall(catena_handle solver,
                            const catena_term *terms,
                            size_t count,
                            catena_term body,
                            catena_term *out);

/**
 * For some values of the variables, made by `catena_variable()`, the body holds.
 */
catena_status catena_exists(catena_handle solver,
                            const catena_term *terms,
                            size_t count,
                            catena_term body,
                            catena_term *out);

/**
 * The sort of a term.
 */
catena_status catena_sort_of(catena_handle solver, catena_term term, catena_sort *out);

/**
 * A term as SMT-LIB writes it; free the string.
 */
catena_status catena_term_text(catena_handle solver, catena_term term, char **out);

/**
 * A token by which another thread stops verifications, with `catena_cancel()`.
 */
catena_status catena_token_new(catena_handle *out);

/**
 * Makes a token usable again after `catena_cancel()`.
 */
catena_status catena_token_reset(catena_handle token);

/**
 * Verifies so many bytes of annotated C. `options` is a JSON object, or null; `token` may be 0. The result is a JSON
 * object with `report`, `verified` and `text`, or with `error`; free the string. A text that is wrong is such an `error`,
 * and no error of this call. docs/c.md describes both objects.
 */
catena_status catena_verify(const char *source,
                            size_t length,
                            const char *options,
                            catena_handle token,
                            char **out);

/**
 * Checks a certificate that `catena_verify()` made with `"certificates": true`: the text is read again, proofs are
 * checked step by step, runs are made again. `file` is the name that the text had. The result is a JSON object with
 * `checked` or `error`; free the string.
 */
catena_status catena_certify_program(const char *file,
                                     const char *source,
                                     size_t length,
                                     const char *certificate,
                                     char **out);

/**
 * A new solver without assertions. With `proofs`, it keeps a proof of every `CATENA_UNSAT`, at the cost of memory and
 * some time.
 */
catena_status catena_solver_new(bool proofs,
                                catena_handle *out);

/**
 * Limits of each following check, 0 for none: milliseconds, deterministic steps, bytes of solver state.
 */
catena_status catena_set_limits(catena_handle solver, uint64_t time_ms, uint64_t steps, uint64_t memory);

/**
 * Asserts a closed formula until the present scope is closed.
 */
catena_status catena_assert(catena_handle solver, catena_term formula);

/**
 * Asserts a closed formula under a name that the core will mention.
 */
catena_status catena_assert_named(catena_handle solver, const char *name, catena_term formula);

/**
 * Opens a scope.
 */
catena_status catena_push(catena_handle solver);

/**
 * Closes the newest scope and forgets its assertions.
 */
catena_status catena_pop(catena_handle solver);

/**
 * Whether the assertions are satisfiable together with these closed formulas, of which there may be none.
 */
catena_status catena_check(catena_handle solver,
                           const catena_term *assumptions,
                           size_t count,
                           catena_answer *out);

/**
 * Why the last check is `CATENA_UNKNOWN`; free the string.
 */
catena_status catena_reason(catena_handle solver, char **out);

/**
 * The model of the last check in the syntax of SMT-LIB; free the string.
 */
catena_status catena_model(catena_handle solver, char **out);

/**
 * The value of a closed term in the model of the last check: `true`, `false`, a decimal number, or `#0`, `#1` for the
 * elements of a sort; free the string.
 */
catena_status catena_value(catena_handle solver,
                           catena_term term,
                           char **out);

/**
 * The truth value of a closed formula in the model of the last check.
 */
catena_status catena_value_bool(catena_handle solver, catena_term term, bool *out);

/**
 * The integer that a closed term is in the model of the last check, if it fits.
 */
catena_status catena_value_int(catena_handle solver, catena_term term, int64_t *out);

/**
 * Which element of its sort a closed term is in the model of the last check, counted from 0.
 */
catena_status catena_value_element(catena_handle solver, catena_term term, uint32_t *out);

/**
 * How many elements a declared sort has in the model of the last check.
 */
catena_status catena_size(catena_handle solver, catena_sort sort, uint32_t *out);

/**
 * How many named assertions the last `CATENA_UNSAT` needs.
 */
catena_status catena_core_size(catena_handle solver, size_t *out);

/**
 * The name of one of the named assertions that the last `CATENA_UNSAT` needs, counted from 0; free the string.
 */
catena_status catena_core_name(catena_handle solver,
                               size_t index,
                               char **out);

/**
 * How many assumptions the last `CATENA_UNSAT` needs.
 */
catena_status catena_core_assumptions_size(catena_handle solver, size_t *out);

/**
 * One of the assumptions that the last `CATENA_UNSAT` needs, counted from 0.
 */
catena_status catena_core_assumption(catena_handle solver, size_t index, catena_term *out);

/**
 * Checks the proof of the last `CATENA_UNSAT` by code that the solver does not use.
 */
catena_status catena_certify(catena_handle solver);

/**
 * A script and its proof as texts for `catena_certify_proof()` or `catena certify`: the assertions and needed
 * assumptions of the last `CATENA_UNSAT`, which are decided once more for that; free both strings.
 */
catena_status catena_proof(catena_handle solver, char **script, char **proof);

/**
 * Declarations and assertions as an SMT-LIB script; free the string.
 */
catena_status catena_script(catena_handle solver, char **out);

/**
 * What the last call of this thread that did not return `CATENA_OK` complained about. The text is the library's, and
 * stands until the next such call of this thread.
 */
const char *catena_last_error(void);

/**
 * Frees a string that a function of this library gave out. A null pointer is no error; any other pointer that is not
 * such a string, or was freed already, is `CATENA_ERROR_HANDLE`.
 */
catena_status catena_string_free(char *string);

/**
 * Stops what a solver or dialogue does in another thread, or its next check if it does nothing; the answer is
 * unknown, and the one after that is as if nothing had happened. A token stays cancelled until
 * `catena_token_reset()`.
 */
catena_status catena_cancel(catena_handle handle);

/**
 * Closes a solver, a dialogue or a token; its number stands for nothing from now on. Work that another thread does with
 * it is cancelled and ends soon.
 */
catena_status catena_close(catena_handle handle);

/**
 * A new dialogue in SMT-LIB 2.6. Its checks have these limits, 0 for none: milliseconds, deterministic steps, bytes of
 * solver state.
 */
catena_status catena_dialogue_new(uint64_t time_ms,
                                  uint64_t steps,
                                  uint64_t memory,
                                  catena_handle *out);

/**
 * Carries out commands and gives the responses; free the string. Declarations and assertions stay from one call to the
 * next. What is wrong with a command is a response `(error ...)`, as SMT-LIB has it, and no error of this call.
 */
catena_status catena_dialogue_run(catena_handle dialogue,
                                  const char *commands,
                                  char **out);

/**
 * The proof of the last `unsat` of a dialogue with `:produce-proofs`; free the string.
 */
catena_status catena_dialogue_proof(catena_handle dialogue, char **out);

/**
 * Checks that a proof shows the assertions at the last check of a script to be contradictory, by code that the solver
 * does not use. Gives the size of the proof in words; free the string.
 */
catena_status catena_certify_proof(const char *script,
                                   const char *proof,
                                   char **out);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CATENA_H */
