#ifndef __CATENA_SYS_TIME
#define __CATENA_SYS_TIME
#include <time.h>
struct timeval { time_t tv_sec; long tv_usec; };
extern int gettimeofday(struct timeval *now, void *zone);
#endif
