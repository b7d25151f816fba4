#ifndef __CATENA_TIME
#define __CATENA_TIME
#include <stddef.h>
typedef long time_t;
typedef long clock_t;
extern time_t time(time_t *place);
extern clock_t clock(void);
#endif
