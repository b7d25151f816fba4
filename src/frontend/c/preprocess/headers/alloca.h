#ifndef __CATENA_ALLOCA
#define __CATENA_ALLOCA
#include <stddef.h>
extern void *alloca(size_t size);
#endif
