#ifndef __CATENA_STDIO
#define __CATENA_STDIO
#include <stddef.h>
#define EOF (-1)
#define BUFSIZ 8192
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
typedef struct __catena_file FILE;
extern FILE *stdin, *stdout, *stderr;
extern int printf(const char *format, ...);
extern int fprintf(FILE *stream, const char *format, ...);
extern int sprintf(char *target, const char *format, ...);
extern int snprintf(char *target, size_t size, const char *format, ...);
extern int scanf(const char *format, ...);
extern int puts(const char *text);
extern int putchar(int character);
extern int getchar(void);
extern int fflush(FILE *stream);
extern FILE *fopen(const char *path, const char *mode);
extern int fclose(FILE *stream);
extern int feof(FILE *stream);
extern int ferror(FILE *stream);
extern void rewind(FILE *stream);
extern int fseek(FILE *stream, long offset, int from);
extern long ftell(FILE *stream);
extern int fgetc(FILE *stream);
extern int getc(FILE *stream);
extern int ungetc(int character, FILE *stream);
extern int fputc(int character, FILE *stream);
extern int putc(int character, FILE *stream);
extern int fputs(const char *text, FILE *stream);
typedef long ssize_t;
extern ssize_t getline(char **line, size_t *size, FILE *stream);
extern char *fgets(char *target, int size, FILE *stream);
extern size_t fread(void *target, size_t size, size_t count, FILE *stream);
extern size_t fwrite(const void *source, size_t size, size_t count, FILE *stream);
extern int fscanf(FILE *stream, const char *format, ...);
extern int sscanf(const char *text, const char *format, ...);
extern int remove(const char *path);
extern void setbuf(FILE *stream, char *buffer);
#define FILENAME_MAX 4096
#define L_tmpnam 20
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
extern FILE *fdopen(int descriptor, const char *mode);
extern FILE *freopen(const char *path, const char *mode, FILE *stream);
extern FILE *tmpfile(void);
extern int fileno(FILE *stream);
extern void clearerr(FILE *stream);
extern int rename(const char *from, const char *to);
extern int setvbuf(FILE *stream, char *buffer, int mode, size_t size);
extern ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *stream);
extern int dprintf(int descriptor, const char *format, ...);
extern int asprintf(char **target, const char *format, ...);
extern int vprintf(const char *format, __builtin_va_list list);
extern int vfprintf(FILE *stream, const char *format, __builtin_va_list list);
extern int vsprintf(char *target, const char *format, __builtin_va_list list);
extern int vsnprintf(char *target, size_t size, const char *format, __builtin_va_list list);
extern void perror(const char *text);
#endif
