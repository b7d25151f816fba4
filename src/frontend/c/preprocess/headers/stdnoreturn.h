#ifndef __CATENA_STDNORETURN
#define __CATENA_STDNORETURN
#define noreturn _Noreturn
#endif
