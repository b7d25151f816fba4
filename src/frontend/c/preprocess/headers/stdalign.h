#ifndef __CATENA_STDALIGN
#define __CATENA_STDALIGN
#define alignas _Alignas
#define alignof _Alignof
#endif
