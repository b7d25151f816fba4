#ifndef __CATENA_TIME
#define __CATENA_TIME
#include <stddef.h>
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
typedef long time_t;
typedef long clock_t;
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};
struct timespec { time_t tv_sec; long tv_nsec; };
extern time_t time(time_t *place);
extern clock_t clock(void);
extern double difftime(time_t end, time_t begin);
extern time_t mktime(struct tm *time);
extern struct tm *localtime(const time_t *time);
extern struct tm *gmtime(const time_t *time);
extern char *ctime(const time_t *time);
extern char *asctime(const struct tm *time);
extern size_t strftime(char *target, size_t size, const char *format, const struct tm *time);
extern int clock_gettime(int clock, struct timespec *now);
extern int nanosleep(const struct timespec *wanted, struct timespec *left);
#endif
