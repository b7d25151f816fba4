#ifndef __CATENA_PTHREAD
#define __CATENA_PTHREAD
typedef unsigned long pthread_t;
typedef struct { long state; } pthread_mutex_t, pthread_cond_t, pthread_attr_t, pthread_mutexattr_t;
#define PTHREAD_MUTEX_INITIALIZER { 0 }
extern int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*start)(void *), void *argument);
extern int pthread_join(pthread_t thread, void **result);
extern void pthread_exit(void *result);
extern int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *how);
extern int pthread_mutex_lock(pthread_mutex_t *mutex);
extern int pthread_mutex_unlock(pthread_mutex_t *mutex);
extern int pthread_mutex_destroy(pthread_mutex_t *mutex);
#endif
