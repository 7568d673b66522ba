/* Opens libraries with dlopen. Also defines H5open and the variables that HDF5's header macros read after
 * they call H5open. */
#include "datasets/base/late_library.h"

#include "datasets/base/address_space.h"
#include "datasets/base/base.h"
#include "datasets/base/blas_kernels.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <hdf5.h>
#include <omp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef SKINBENCH_LATE

enum { PARTS = 4 /* size of the list of shared objects, including the final NULL */, PROBE_S = 20 };
/* Memory that OpenBLAS needs. It allocates two buffers when it is opened, and one for each thread that
 * multiplies. If an allocation fails, it tries again forever. */
enum { ALGEBRA_BYTES = 64 << 20, ALGEBRA_BUFFER_BYTES = 128 << 20, ALGEBRA_BUFFERS = 2 };

static const struct {
    const char *title, *parts[PARTS]; /* shared objects, searched in this order */
} libraries[LATE_COUNT] = {
    [LATE_ALGEBRA] = {"OpenBLAS", {SKINBENCH_LATE_ALGEBRA}},
    [LATE_HDF5] = {"HDF5", {SKINBENCH_LATE_HDF5}},
    [LATE_ARCHIVE] = {"libarchive", {SKINBENCH_LATE_ARCHIVE}},
    [LATE_SCENES] = {"assimp", {SKINBENCH_LATE_SCENES}},
    [LATE_RAYS] = {"Embree", {SKINBENCH_LATE_RAYS}},
    [LATE_DIGESTS] = {"libcrypto", {SKINBENCH_LATE_DIGESTS}},
    [LATE_PACKED] = {"meshoptimizer", {SKINBENCH_LATE_PACKED}},
};

static struct {
    void *parts[PARTS];
    bool open;
} opened[LATE_COUNT];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static sigjmp_buf constructors_failed;

static void constructors_abort(int signal)
{
    (void)signal;
    siglongjmp(constructors_failed, 1);
}

/* Opens a shared object with dlopen. If a C++ library gets no memory in its constructors, it prints to
 * stderr and aborts. In this case nothing is printed, NULL is returned and errno is ENOMEM. */
static void *part_open(const char *name)
{
    void *volatile part = NULL;
    struct sigaction before;
    const struct sigaction during = {.sa_handler = constructors_abort};
    const int messages = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    const int nowhere = messages < 0 ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    sigaction(SIGABRT, &during, &before);
    volatile int error = ENOMEM;
    if (sigsetjmp(constructors_failed, 1) == 0) {
        errno = 0; /* errno shows a lack of memory reliably, whereas dlerror gives only a text in the user's
                      language */
        part = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
        error = errno;
    }
    sigaction(SIGABRT, &before, NULL);
    if (nowhere >= 0) {
        dup2(messages, STDERR_FILENO);
        close(nowhere);
    }
    if (messages >= 0)
        close(messages);
    errno = error;
    return part;
}

static Status parts_open(LateLibrary library)
{
    for (int i = 0; libraries[library].parts[i]; i++) {
        if (!opened[library].parts[i])
            opened[library].parts[i] = part_open(libraries[library].parts[i]);
        if (!opened[library].parts[i] && errno == ENOMEM)
            return status_out_of_memory(libraries[library].title);
        if (!opened[library].parts[i])
            return status_make(STATUS_SYSTEM, "%s cannot be loaded: %s", libraries[library].title, dlerror());
    }
    __atomic_store_n(&opened[library].open, true, __ATOMIC_RELEASE);
    return status_ok();
}

static Status library_open(LateLibrary library, bool tries)
{
    BlasKernels kernels = BLAS_KERNELS_FIT;
    const size_t buffers = ALGEBRA_BUFFERS + (size_t)omp_get_max_threads();
    if (library == LATE_ALGEBRA && !address_space_has(ALGEBRA_BYTES + buffers * ALGEBRA_BUFFER_BYTES))
        return status_out_of_memory(libraries[library].title);
    if (tries) {
        /* a child opens the library and reports which kernels OpenBLAS should use */
        enum { FAILED = 3 };
        int how = 0;
        const pid_t child = fork();
        if (child < 0)
            return status_make(STATUS_SYSTEM, "a process cannot be started: %s", strerror(errno));
        if (child == 0) {
            close(STDERR_FILENO);
            setrlimit(RLIMIT_CPU, &(struct rlimit){PROBE_S, PROBE_S});
            if (parts_open(library).code != STATUS_OK)
                _exit(FAILED);
            _exit(library == LATE_ALGEBRA ? (int)blas_kernels_wanted() : 0);
        }
        while (waitpid(child, &how, 0) < 0 && errno == EINTR)
            continue;
        if (!WIFEXITED(how) || WEXITSTATUS(how) > FAILED)
            return status_out_of_memory(libraries[library].title);
        if (WEXITSTATUS(how) < FAILED) /* if the child failed, parts_open below finds the reason */
            kernels = (BlasKernels)WEXITSTATUS(how);
    }
    if (library == LATE_ALGEBRA)
        blas_kernels_set(kernels);
    STATUS_TRY(parts_open(library));
    if (library == LATE_ALGEBRA)
        blas_threads_set(omp_get_max_threads());
    return status_ok();
}

bool late_library_is_open(LateLibrary library)
{
    return __atomic_load_n(&opened[library].open, __ATOMIC_ACQUIRE);
}

Status late_library_open(LateLibrary library)
{
    if (library == LATE_NONE || late_library_is_open(library))
        return status_ok();
    pthread_mutex_lock(&guard);
    /* no child is needed for libcrypto, whose constructors allocate nothing */
    const bool tries = library != LATE_DIGESTS;
    const Status status = opened[library].open ? status_ok() : library_open(library, tries);
    pthread_mutex_unlock(&guard);
    return status;
}

/* Does not lock the mutex, because another thread may have held it when this process was forked. */
Status late_library_open_here(LateLibrary library)
{
    return library == LATE_NONE || opened[library].open ? status_ok() : library_open(library, false);
}

void *late_library_symbol(LateLibrary library, const char *name)
{
    void *symbol = NULL;
    Status status = late_library_open(library);
    if (status.code == STATUS_OK) {
        for (int i = 0; !symbol && opened[library].parts[i]; i++)
            symbol = dlsym(opened[library].parts[i], name);
        if (!symbol)
            status = status_make(STATUS_SYSTEM, "the library %s does not contain %s",
                                 libraries[library].title, name);
    }
    if (status.code != STATUS_OK) {
        fprintf(stderr, "skinbench: %s\n", status.text);
        _exit(STATUS_SYSTEM);
    }
    return symbol;
}

/* ---- HDF5's variables ---- */

#define VARIABLES(X)                                                                                         \
    X(H5E_CANTALLOC_g)                                                                                       \
    X(H5E_NOSPACE_g)                                                                                         \
    X(H5E_RESOURCE_g)                                                                                        \
    X(H5P_CLS_DATASET_ACCESS_ID_g)                                                                           \
    X(H5P_CLS_DATASET_CREATE_ID_g)                                                                           \
    X(H5P_CLS_FILE_ACCESS_ID_g)                                                                              \
    X(H5P_CLS_FILE_CREATE_ID_g)                                                                              \
    X(H5P_CLS_GROUP_CREATE_ID_g)                                                                             \
    X(H5T_C_S1_g)                                                                                            \
    X(H5T_IEEE_F32LE_g)                                                                                      \
    X(H5T_IEEE_F64LE_g)                                                                                      \
    X(H5T_NATIVE_DOUBLE_g)                                                                                   \
    X(H5T_NATIVE_FLOAT_g)                                                                                    \
    X(H5T_NATIVE_INT32_g)                                                                                    \
    X(H5T_STD_I32LE_g)
#define DEFINE(name) hid_t name;
VARIABLES(DEFINE)

/* In HDF5's headers, the name of every type is a macro that calls H5open. This function calls the library's
 * own H5open and then copies the library's variables to ours. */
herr_t H5open(void)
{
    static bool filled;
    void *symbol = late_library_symbol(LATE_HDF5, "H5open");
    herr_t (*function)(void);
    memcpy(&function, &symbol, sizeof symbol); /* ISO C does not allow a cast to a function pointer */
    const herr_t answer = function();
    if (answer >= 0 && !filled) {
#define FILL(name) name = *(const hid_t *)late_library_symbol(LATE_HDF5, #name);
        VARIABLES(FILL)
        filled = true;
    }
    return answer;
}

#else

Status late_library_open(LateLibrary library)
{
    (void)library;
    return status_ok();
}

Status late_library_open_here(LateLibrary library)
{
    (void)library;
    return status_ok();
}

bool late_library_is_open(LateLibrary library)
{
    (void)library;
    return true;
}

#endif
