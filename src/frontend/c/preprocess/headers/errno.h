#ifndef __CATENA_ERRNO
#define __CATENA_ERRNO
extern int *__catena_errno(void);
#define errno (*__catena_errno())
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENOMEM 12
#define EINVAL 22
#endif
