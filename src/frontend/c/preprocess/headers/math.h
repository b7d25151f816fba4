#ifndef __CATENA_MATH
#define __CATENA_MATH
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
extern double acos(double x);
extern float acosf(float x);
extern double asin(double x);
extern float asinf(float x);
extern double atan(double x);
extern float atanf(float x);
extern double ceil(double x);
extern float ceilf(float x);
extern double cos(double x);
extern float cosf(float x);
extern double cosh(double x);
extern float coshf(float x);
extern double exp(double x);
extern float expf(float x);
extern double fabs(double x);
extern float fabsf(float x);
extern double floor(double x);
extern float floorf(float x);
extern double log(double x);
extern float logf(float x);
extern double log10(double x);
extern float log10f(float x);
extern double log2(double x);
extern float log2f(float x);
extern double round(double x);
extern float roundf(float x);
extern double sin(double x);
extern float sinf(float x);
extern double sinh(double x);
extern float sinhf(float x);
extern double sqrt(double x);
extern float sqrtf(float x);
extern double tan(double x);
extern float tanf(float x);
extern double tanh(double x);
extern float tanhf(float x);
extern double trunc(double x);
extern float truncf(float x);
extern double cbrt(double x);
extern float cbrtf(float x);
extern double atan2(double x, double y);
extern float atan2f(float x, float y);
extern double fmod(double x, double y);
extern float fmodf(float x, float y);
extern double pow(double x, double y);
extern float powf(float x, float y);
extern double fmin(double x, double y);
extern float fminf(float x, float y);
extern double fmax(double x, double y);
extern float fmaxf(float x, float y);
extern double hypot(double x, double y);
extern float hypotf(float x, float y);
#define M_PI_2 1.57079632679489661923
#define M_SQRT2 1.41421356237309504880
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VAL (__builtin_inf())
extern double exp2(double x);
extern double log1p(double x);
extern double expm1(double x);
extern double rint(double x);
extern double nearbyint(double x);
extern long lround(double x);
extern long lrint(double x);
extern double copysign(double x, double y);
extern double fdim(double x, double y);
extern double ldexp(double x, int exponent);
extern double frexp(double x, int *exponent);
extern double modf(double x, double *whole);
#endif
