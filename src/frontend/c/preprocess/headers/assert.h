#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
extern void __catena_assert(int condition);
#define assert(condition) __catena_assert(!!(condition))
#endif
#define static_assert _Static_assert
