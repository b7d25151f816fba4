/* Everything that a caller can do wrong is an error code, and the solver stays usable. Built with sanitizers by the test. */
#include <catena.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(call, expected)                                                                     \
    do {                                                                                           \
        catena_status got = (call);                                                                \
        if (got != (expected)) {                                                                   \
            fprintf(stderr, "line %d: %s is %d (%s)\n", __LINE__, #call, (int)got, catena_last_error()); \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define HOLDS(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) { fprintf(stderr, "line %d: not %s\n", __LINE__, #condition); exit(1); }   \
    } while (0)

static void *cancels(void *handle) {
    /* Until the check has begun, a cancel would be that of the next one: busy tells that it has. */
    catena_term term;
    while (catena_int(*(catena_handle *)handle, 1, &term) != CATENA_ERROR_BUSY) {}
    EXPECT(catena_cancel(*(catena_handle *)handle), CATENA_OK);
    return NULL;
}

/* A pigeonhole problem that takes long. */
static void assert_pigeons(catena_handle s, int pigeons) {
    catena_term *in = malloc(sizeof *in * pigeons * (pigeons - 1));
    for (int p = 0; p < pigeons; p++)
        for (int h = 0; h < pigeons - 1; h++) {
            char name[32];
            snprintf(name, sizeof name, "p%dh%d", p, h);
            EXPECT(catena_declare_constant(s, name, CATENA_SORT_BOOL, &in[p * (pigeons - 1) + h]), CATENA_OK);
        }
    catena_term term, other, both[2];
    for (int p = 0; p < pigeons; p++) {
        EXPECT(catena_or(s, &in[p * (pigeons - 1)], pigeons - 1, &term), CATENA_OK);
        EXPECT(catena_assert(s, term), CATENA_OK);
        for (int q = 0; q < p; q++)
            for (int h = 0; h < pigeons - 1; h++) {
                both[0] = in[p * (pigeons - 1) + h], both[1] = in[q * (pigeons - 1) + h];
                EXPECT(catena_and(s, both, 2, &term), CATENA_OK);
                EXPECT(catena_not(s, term, &other), CATENA_OK);
                EXPECT(catena_assert(s, other), CATENA_OK);
            }
    }
    free(in);
}

int main(void) {
    catena_handle s, other, dialogue, token;
    catena_term n, p, term;
    catena_sort sort;
    catena_answer answer;
    char *text = NULL, *second = NULL;
    size_t size;
    HOLDS(catena_abi() == CATENA_ABI);

    EXPECT(catena_solver_new(true, NULL), CATENA_ERROR_NULL);
    EXPECT(catena_solver_new(true, &s), CATENA_OK);
    EXPECT(catena_solver_new(false, &other), CATENA_OK);
    EXPECT(catena_dialogue_new(0, 0, 0, &dialogue), CATENA_OK);
    EXPECT(catena_token_new(&token), CATENA_OK);

    /* Null, wrong kinds, numbers that never were. */
    EXPECT(catena_declare_sort(s, NULL, &sort), CATENA_ERROR_NULL);
    EXPECT(catena_declare_sort(s, "Cell", NULL), CATENA_ERROR_NULL);
    EXPECT(catena_declare_sort(s, "\xff", &sort), CATENA_ERROR_UTF8);
    EXPECT(catena_declare_sort(dialogue, "Cell", &sort), CATENA_ERROR_HANDLE);
    EXPECT(catena_declare_sort(0, "Cell", &sort), CATENA_ERROR_HANDLE);
    EXPECT(catena_declare_sort(~(catena_handle)0, "Cell", &sort), CATENA_ERROR_HANDLE);
    EXPECT(catena_declare_constant(s, "n", CATENA_SORT_INT, &n), CATENA_OK);
    EXPECT(catena_declare_constant(s, "n", 77, &term), CATENA_ERROR_FOREIGN);
    EXPECT(catena_declare_constant(other, "p", CATENA_SORT_BOOL, &p), CATENA_OK);
    EXPECT(catena_assert(s, p), CATENA_ERROR_FOREIGN);
    EXPECT(catena_assert(s, n), CATENA_ERROR_BUILD);
    EXPECT(catena_and(s, NULL, 3, &term), CATENA_ERROR_NULL);
    EXPECT(catena_and(s, &n, (size_t)-1, &term), CATENA_ERROR_HANDLE);
    EXPECT(catena_and(s, &n, 1, &term), CATENA_ERROR_BUILD);
    EXPECT(catena_and(s, NULL, 0, &term), CATENA_OK);
    EXPECT(catena_int_text(s, "seven", &term), CATENA_ERROR_BUILD);
    EXPECT(catena_mul(s, n, n, &term), CATENA_ERROR_BUILD);
    EXPECT(catena_token_reset(0), CATENA_ERROR_HANDLE);

    /* The wrong order. */
    EXPECT(catena_pop(s), CATENA_ERROR_NO_SCOPE);
    EXPECT(catena_model(s, &text), CATENA_ERROR_NO_ANSWER);
    EXPECT(catena_reason(s, &text), CATENA_ERROR_NO_ANSWER);
    EXPECT(catena_core_size(s, &size), CATENA_ERROR_NO_ANSWER);
    EXPECT(catena_certify(s), CATENA_ERROR_NO_ANSWER);
    EXPECT(catena_check(s, NULL, 0, &answer), CATENA_OK);
    HOLDS(answer == CATENA_SAT);
    bool truth;
    EXPECT(catena_value_bool(s, n, &truth), CATENA_ERROR_VALUE);
    EXPECT(catena_lt(s, n, n, &term), CATENA_OK);
    EXPECT(catena_assert_named(s, "small", term), CATENA_OK);
    EXPECT(catena_value_bool(s, term, &truth), CATENA_ERROR_NO_ANSWER);
    EXPECT(catena_check(s, NULL, 0, &answer), CATENA_OK);
    HOLDS(answer == CATENA_UNSAT);
    EXPECT(catena_certify(s), CATENA_OK);
    EXPECT(catena_core_name(s, 1, &text), CATENA_ERROR_HANDLE);
    EXPECT(catena_core_name(s, 0, &text), CATENA_OK);
    HOLDS(strcmp(text, "small") == 0);
    EXPECT(catena_string_free(text), CATENA_OK);

    /* A proof leaves the library and comes back. */
    EXPECT(catena_proof(s, &text, NULL), CATENA_ERROR_NULL);
    EXPECT(catena_proof(s, &text, &second), CATENA_OK);
    char *words = NULL;
    EXPECT(catena_certify_proof(text, second, &words), CATENA_OK);
    EXPECT(catena_string_free(words), CATENA_OK);
    EXPECT(catena_certify_proof("(check-sat)", second, &words), CATENA_ERROR_PROOF);

    /* Freed twice, or never given out. */
    EXPECT(catena_string_free(text), CATENA_OK);
    EXPECT(catena_string_free(text), CATENA_ERROR_HANDLE);
    EXPECT(catena_string_free(second), CATENA_OK);
    EXPECT(catena_string_free((char *)&s), CATENA_ERROR_HANDLE);
    EXPECT(catena_string_free(NULL), CATENA_OK);

    /* What is wrong with SMT-LIB is a response; an assertion that was refused leaves no model of the script. */
    EXPECT(catena_dialogue_run(dialogue, "(assert", &text), CATENA_OK);
    HOLDS(strstr(text, "(error"));
    EXPECT(catena_string_free(text), CATENA_OK);
    EXPECT(catena_dialogue_run(dialogue, "\xc0", &text), CATENA_ERROR_UTF8);
    EXPECT(catena_dialogue_run(dialogue, "(check-sat) (reset) (check-sat)", &text), CATENA_OK);
    HOLDS(strcmp(text, "unknown\nsat\n") == 0);
    EXPECT(catena_string_free(text), CATENA_OK);

    /* A program that is none, and bytes that are no text, are reports. */
    EXPECT(catena_verify("int f(", 6, NULL, 0, &text), CATENA_OK);
    HOLDS(strstr(text, "\"rejected\""));
    EXPECT(catena_string_free(text), CATENA_OK);
    EXPECT(catena_verify("\xff\0", 2, NULL, 0, &text), CATENA_OK);
    EXPECT(catena_string_free(text), CATENA_OK);
    EXPECT(catena_verify("int x;", 6, "{\"timeout\": 1}", 0, &text), CATENA_OK);
    HOLDS(strstr(text, "unknown key"));
    EXPECT(catena_string_free(text), CATENA_OK);
    EXPECT(catena_verify(NULL, 6, NULL, 0, &text), CATENA_ERROR_NULL);
    EXPECT(catena_verify("int x;", 6, NULL, s, &text), CATENA_ERROR_HANDLE);

    /* Another thread stops a check; the next one is as if nothing had happened. */
    catena_handle hard;
    EXPECT(catena_solver_new(false, &hard), CATENA_OK);
    EXPECT(catena_push(hard), CATENA_OK);
    assert_pigeons(hard, 14);
    pthread_t thread;
    pthread_create(&thread, NULL, cancels, &hard);
    catena_status status;
    do status = catena_check(hard, NULL, 0, &answer); while (status == CATENA_ERROR_BUSY);
    EXPECT(status, CATENA_OK);
    pthread_join(thread, NULL);
    HOLDS(answer == CATENA_UNKNOWN);
    EXPECT(catena_reason(hard, &text), CATENA_OK);
    HOLDS(strstr(text, "cancelled"));
    EXPECT(catena_string_free(text), CATENA_OK);
    EXPECT(catena_set_limits(hard, 0, 1000, 0), CATENA_OK);
    EXPECT(catena_check(hard, NULL, 0, &answer), CATENA_OK);
    HOLDS(answer == CATENA_UNKNOWN);
    EXPECT(catena_pop(hard), CATENA_OK);
    EXPECT(catena_check(hard, NULL, 0, &answer), CATENA_OK);
    HOLDS(answer == CATENA_SAT);

    /* Closed, and closed again. */
    EXPECT(catena_close(hard), CATENA_OK);
    EXPECT(catena_close(hard), CATENA_ERROR_HANDLE);
    EXPECT(catena_assert(hard, term), CATENA_ERROR_HANDLE);
    EXPECT(catena_solver_new(false, &hard), CATENA_OK);
    EXPECT(catena_assert(hard, term), CATENA_ERROR_FOREIGN);
    EXPECT(catena_close(hard), CATENA_OK);
    EXPECT(catena_close(s), CATENA_OK);
    EXPECT(catena_close(other), CATENA_OK);
    EXPECT(catena_close(dialogue), CATENA_OK);
    EXPECT(catena_cancel(token), CATENA_OK);
    EXPECT(catena_close(token), CATENA_OK);
    EXPECT(catena_cancel(token), CATENA_ERROR_HANDLE);
    puts("misuse: ok");
    return 0;
}
