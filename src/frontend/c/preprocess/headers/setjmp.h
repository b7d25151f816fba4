#ifndef __CATENA_SETJMP
#define __CATENA_SETJMP
typedef long jmp_buf[32];
extern int setjmp(jmp_buf place);
extern int _setjmp(jmp_buf place);
extern void longjmp(jmp_buf place, int value);
#endif
