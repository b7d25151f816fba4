#ifndef __CATENA_ERRNO
#define __CATENA_ERRNO
extern int *__catena_errno(void);
#define errno (*__catena_errno())
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENOMEM 12
#define EBADF 9
#define EAGAIN 11
#define EACCES 13
#define EFAULT 14
#define EEXIST 17
#define EINVAL 22
#define ENOSPC 28
#define EPIPE 32
#define EDOM 33
#define ERANGE 34
#define EOVERFLOW 75
#endif
