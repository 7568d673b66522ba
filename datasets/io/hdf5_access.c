/* Element types, errors and blocks of HDF5, used for both reading and writing. */
#include "datasets/io/hdf5_access.h"

hid_t hdf5_memory_type(ArrayElement element)
{
    return element == ARRAY_FLOAT32   ? H5T_NATIVE_FLOAT
           : element == ARRAY_FLOAT64 ? H5T_NATIVE_DOUBLE
                                      : H5T_NATIVE_INT32;
}

/* HDF5's report of its last failure: the innermost description, the errno, and whether memory ran out. HDF5
 * gives the errno only within the description, as in "file write failed: ..., errno = 28, error message =
 * ...". */
typedef struct Cause {
    const char *description;
    bool no_memory;
    int error; /* 0: none */
} Cause;

#define NUMBER_NAME "errno = "

static herr_t cause_visit(unsigned level, const H5E_error2_t *error, void *context)
{
    (void)level;
    Cause *cause = context;
    const char *number = error->desc ? strstr(error->desc, NUMBER_NAME) : NULL;
    if (error->desc && !cause->description)
        cause->description = error->desc;
    if (number && cause->error == 0)
        cause->error = (int)strtol(number + strlen(NUMBER_NAME), NULL, 10);
    cause->no_memory = cause->no_memory || error->maj_num == H5E_RESOURCE || error->min_num == H5E_NOSPACE ||
                       error->min_num == H5E_CANTALLOC;
    return 0;
}

Status hdf5_failure(StatusCode code, const Hdf5File *file, const char *object, const char *what)
{
    Cause cause = {0};
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, cause_visit, (void *)&cause);
    if (cause.error != 0)
        return status_make(code, "%s: %s%s%s: %s", file->path, object, object[0] ? " " : "", what,
                           strerror(cause.error));
    char memory[64] = "";
    if (cause.no_memory)
        snprintf(memory, sizeof memory, ": out of memory");
    if (cause.no_memory && memory_limit() > 0)
        text_append(memory, sizeof memory, ": --memory-limit is %.6g MB", (double)memory_limit() / (1 << 20));
    return status_make(cause.no_memory ? STATUS_SYSTEM : code, "%s: %s%s%s%s (HDF5: %s)", file->path, object,
                       object[0] ? " " : "", what, memory,
                       cause.description ? cause.description : "no reason given");
}

Status hdf5_error(const Hdf5File *file, const char *object, const char *what)
{
    return hdf5_failure(STATUS_BAD_INPUT, file, object, what);
}

void hdf5_prepare(void)
{
    /* After a failed write, HDF5 1.10 crashes while closing its objects at exit. */
    (void)H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

Status hdf5_block_select(const Hdf5File *file, const char *object, hid_t array, const Hdf5Shape *first,
                         const Hdf5Shape *extents, hid_t *file_space, hid_t *memory_space)
{
    hsize_t start[HDF5_RANK_MAX] = {0}, size[HDF5_RANK_MAX] = {0};
    for (int i = 0; i < extents->rank; i++) {
        start[i] = (hsize_t)first->extents[i];
        size[i] = (hsize_t)extents->extents[i];
    }
    *file_space = H5Dget_space(array);
    *memory_space = H5Screate_simple(extents->rank, size, NULL);
    if (*file_space < 0 || *memory_space < 0 ||
        H5Sselect_hyperslab(*file_space, H5S_SELECT_SET, start, NULL, size, NULL) < 0)
        return hdf5_error(file, object, "does not contain the requested block");
    return status_ok();
}
