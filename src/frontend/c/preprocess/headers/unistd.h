#ifndef __CATENA_UNISTD
#define __CATENA_UNISTD
#include <stddef.h>
typedef long ssize_t;
typedef int pid_t;
extern void _exit(int status);
extern unsigned int sleep(unsigned int seconds);
#endif
