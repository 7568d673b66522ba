/* Loaded with LD_PRELOAD: counts the allocations of a program from the start of main, and makes some fail.
 *   SKINBENCH_FAIL_ALLOCATION=K    the K-th allocation (from 1) returns NULL with ENOMEM
 *   SKINBENCH_FAIL_ALLOCATION=K+   all allocations from the K-th on fail
 *   SKINBENCH_COUNT_ALLOCATIONS=F  the number of allocations is written to the file F at exit
 * Counts malloc, calloc, realloc, aligned_alloc, memalign and posix_memalign, and therefore the C library's
 * own calls of them (in strdup, fopen, opendir, open_memstream, dlopen and others). Allocations before
 * main, by the loader and the constructors of libraries, are not counted. Forked children share the count.
 * Programs that are executed are left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* Second names under which glibc exports its allocator. With them no symbol has to be looked up before the
 * first allocation. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_long *counted; /* shared with forked children; NULL before main and after exit */
static long failing;         /* 0: none */
static int all_that_follow;
static const char *count_file;
static int (*program_main)(int, char **, char **);

/* A place for a breakpoint: gdb's backtrace shows the call that is about to fail. */
EXPORT __attribute__((noinline)) void allocation_fails(void);
void allocation_fails(void)
{
    errno = ENOMEM;
}

static int fails(void)
{
    if (!counted)
        return 0;
    long number = atomic_fetch_add(counted, 1) + 1;
    if (number != failing && !(all_that_follow && failing > 0 && number > failing))
        return 0;
    allocation_fails();
    return 1;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *pointer, size_t size)
{
    return fails() ? NULL : __libc_realloc(pointer, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

EXPORT void *memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *pointer = fails() ? NULL : __libc_memalign(alignment, size);
    if (pointer)
        *out = pointer;
    return pointer ? 0 : ENOMEM;
}

static void count_write(void)
{
    long count = atomic_load(counted);
    counted = NULL;
    FILE *file = count_file ? fopen(count_file, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", count);
        fclose(file);
    }
}

static int main_counted(int argc, char **argv, char **environment)
{
    const char *number = getenv("SKINBENCH_FAIL_ALLOCATION");
    char *end = NULL;
    failing = number ? strtol(number, &end, 10) : 0;
    all_that_follow = end && *end == '+';
    count_file = getenv("SKINBENCH_COUNT_ALLOCATIONS");
    atexit(count_write);
    unsetenv("LD_PRELOAD");
    atomic_long *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        fputs("fail_allocation: no memory that is shared\n", stderr);
        return 99;
    }
    counted = shared;
    return program_main(argc, argv, environment);
}

typedef int StartMain(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                      void (*)(void), void *);

/* The C library's start code calls this function with the program's main. */
EXPORT StartMain __libc_start_main;
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
    void *next = dlsym(RTLD_NEXT, "__libc_start_main");
    StartMain *start;
    _Static_assert(sizeof start == sizeof next, "POSIX asks for it");
    *(void **)&start = next;
    program_main = main;
    return start(main_counted, argc, argv, init, fini, loader_fini, stack_end);
}
