#ifndef __CATENA_UNISTD
#define __CATENA_UNISTD
#include <stddef.h>
typedef long ssize_t;
typedef int pid_t;
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef long off_t;
extern char *optarg;
extern int optind, opterr, optopt;
extern int getopt(int argc, char *const argv[], const char *options);
extern ssize_t read(int descriptor, void *target, size_t size);
extern ssize_t write(int descriptor, const void *source, size_t size);
extern int close(int descriptor);
extern int unlink(const char *path);
extern int access(const char *path, int mode);
extern int isatty(int descriptor);
extern pid_t getpid(void);
extern int usleep(unsigned int time);
extern char *getcwd(char *target, size_t size);
extern void _exit(int status);
extern unsigned int sleep(unsigned int seconds);
#endif
