/* Answers many questions through the C library, for comparison with Rust: `same LIST OUT`, as bindings/core/examples/same.rs. */
#include <catena.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *contents(const char *name, size_t *length) {
    FILE *file = fopen(name, "rb");
    if (!file) { perror(name); exit(2); }
    size_t room = 1 << 16, used = 0, got;
    char *text = malloc(room + 1);
    while ((got = fread(text + used, 1, room - used, file)) > 0) {
        used += got;
        if (used == room) text = realloc(text, (room *= 2) + 1);
    }
    fclose(file);
    text[used] = 0;
    *length = used;
    return text;
}

static void must(catena_status status) {
    if (status != CATENA_OK) { fprintf(stderr, "error %d: %s\n", (int)status, catena_last_error()); exit(1); }
}

int main(int argc, char **argv) {
    if (argc != 3) { fprintf(stderr, "usage: same LIST OUT\n"); return 2; }
    size_t length;
    char *list = contents(argv[1], &length);
    int n = 0;
    for (char *name = strtok(list, "\n"); name; name = strtok(NULL, "\n"), n++) {
        char *text = contents(name, &length), *answer = NULL, path[4096];
        if (strcmp(name + strlen(name) - 2, ".c") == 0) {
            char options[4096];
            snprintf(options, sizeof options, "{\"file\": \"%s\", \"steps\": 2000000}", name);
            must(catena_verify(text, length, options, 0, &answer));
        } else {
            catena_handle dialogue;
            must(catena_dialogue_new(0, 2000000, 0, &dialogue));
            must(catena_dialogue_run(dialogue, text, &answer));
            must(catena_close(dialogue));
        }
        snprintf(path, sizeof path, "%s/%d.txt", argv[2], n);
        FILE *out = fopen(path, "wb");
        if (!out) { perror(path); return 2; }
        fputs(answer, out);
        fclose(out);
        must(catena_string_free(answer));
        free(text);
    }
    free(list);
    return 0;
}
