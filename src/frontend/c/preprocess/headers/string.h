#ifndef __CATENA_STRING
#define __CATENA_STRING
#include <stddef.h>
extern void *memset(void *target, int value, size_t size);
extern void *memcpy(void *target, const void *source, size_t size);
extern void *memmove(void *target, const void *source, size_t size);
extern int memcmp(const void *a, const void *b, size_t size);
extern size_t strlen(const char *text);
extern int strcmp(const char *a, const char *b);
extern int strncmp(const char *a, const char *b, size_t size);
extern char *strcpy(char *target, const char *source);
extern char *strncpy(char *target, const char *source, size_t size);
extern char *strcat(char *target, const char *source);
extern char *strncat(char *target, const char *source, size_t size);
extern char *strdup(const char *text);
extern char *strndup(const char *text, size_t size);
extern char *stpcpy(char *target, const char *source);
extern size_t strnlen(const char *text, size_t size);
extern char *strchr(const char *text, int character);
extern char *strrchr(const char *text, int character);
extern char *strstr(const char *text, const char *part);
extern char *strpbrk(const char *text, const char *set);
extern char *strtok(char *text, const char *separators);
extern char *strtok_r(char *text, const char *separators, char **state);
extern char *strerror(int number);
extern char *strsep(char **text, const char *separators);
extern char *strcasestr(const char *text, const char *part);
extern char *strchrnul(const char *text, int character);
extern size_t strlcpy(char *target, const char *source, size_t size);
extern size_t strlcat(char *target, const char *source, size_t size);
extern char *strsignal(int number);
extern void *mempcpy(void *target, const void *source, size_t size);
extern void *memmem(const void *object, size_t size, const void *part, size_t length);
extern void *memrchr(const void *object, int character, size_t size);
extern size_t strspn(const char *text, const char *set);
extern size_t strcspn(const char *text, const char *set);
extern int strcoll(const char *a, const char *b);
extern int strcasecmp(const char *a, const char *b);
extern int strncasecmp(const char *a, const char *b, size_t size);
extern void *memchr(const void *object, int character, size_t size);
#endif
