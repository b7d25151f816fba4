#ifndef __CATENA_STDLIB
#define __CATENA_STDLIB
#include <stddef.h>
#include <alloca.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
extern void *malloc(size_t size);
extern void *calloc(size_t count, size_t size);
extern void *realloc(void *cell, size_t size);
extern void free(void *cell);
extern void abort(void);
extern void exit(int status);
extern void _Exit(int status);
extern int atexit(void (*function)(void));
extern int rand(void);
extern void srand(unsigned int seed);
extern int atoi(const char *text);
extern long atol(const char *text);
extern int abs(int value);
extern long labs(long value);
extern long long llabs(long long value);
extern long long atoll(const char *text);
extern double atof(const char *text);
extern long strtol(const char *text, char **end, int base);
extern unsigned long strtoul(const char *text, char **end, int base);
extern long long strtoll(const char *text, char **end, int base);
extern unsigned long long strtoull(const char *text, char **end, int base);
extern double strtod(const char *text, char **end);
extern float strtof(const char *text, char **end);
extern void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
extern void *bsearch(const void *key, const void *base, size_t count, size_t size,
                     int (*compare)(const void *, const void *));
extern void *aligned_alloc(size_t alignment, size_t size);
extern int posix_memalign(void **place, size_t alignment, size_t size);
extern void *reallocarray(void *cell, size_t count, size_t size);
extern int setenv(const char *name, const char *value, int overwrite);
extern int unsetenv(const char *name);
extern int mkstemp(char *pattern);
extern double drand48(void);
extern void srand48(long seed);
extern int rand_r(unsigned int *seed);
extern void quick_exit(int status);
extern long random(void);
extern void srandom(unsigned int seed);
extern char *getenv(const char *name);
extern int system(const char *command);
typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
extern div_t div(int a, int b);
extern ldiv_t ldiv(long a, long b);
#endif
