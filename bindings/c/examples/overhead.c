/* What a call costs: prints the processor time of building a term, of a value and of a status, in nanoseconds. */
#include <catena.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void must(catena_status status) {
    if (status != CATENA_OK) { fprintf(stderr, "error %d: %s\n", (int)status, catena_last_error()); exit(1); }
}

static double per_call(clock_t since, int calls) {
    return (double)(clock() - since) / CLOCKS_PER_SEC * 1e9 / calls;
}

int main(void) {
    catena_handle s;
    catena_term n, one, sum, term;
    catena_answer answer;
    const int calls = 100000;
    must(catena_solver_new(false, &s));
    must(catena_declare_constant(s, "n", CATENA_SORT_INT, &n));
    must(catena_int(s, 1, &one));
    clock_t since = clock();
    for (int i = 0; i < calls; i++) must(catena_lt(s, one, n, &term));
    double build = per_call(since, calls);
    must(catena_assert(s, term));
    must(catena_check(s, NULL, 0, &answer));
    since = clock();
    int64_t value;
    for (int i = 0; i < calls; i++) must(catena_value_int(s, n, &value));
    double ask = per_call(since, calls);
    since = clock();
    for (int i = 0; i < calls; i++)
        if (catena_lt(s, 0, 0, &sum) != CATENA_ERROR_HANDLE) return 1;
    double refuse = per_call(since, calls);
    printf("build %.0f ns, value %.0f ns, error %.0f ns\n", build, ask, refuse);
    must(catena_close(s));
    /* The bound is 20 microseconds. */
    return build < 20000 && ask < 20000 && refuse < 20000 ? 0 : 1;
}
