#ifndef __CATENA_STRINGS
#define __CATENA_STRINGS
#include <stddef.h>
extern int strcasecmp(const char *a, const char *b);
extern int strncasecmp(const char *a, const char *b, size_t size);
extern void bzero(void *object, size_t size);
extern void bcopy(const void *source, void *target, size_t size);
extern int bcmp(const void *a, const void *b, size_t size);
extern int ffs(int value);
#endif
