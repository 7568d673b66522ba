#include "methods/runtime/backends/dynamic.h"

#include <dlfcn.h>

Status dynamic_open(const char *const *names, const char *what, void **library)
{
    *library = NULL;
    for (const char *const *name = names; *name && !*library; name++) {
        errno = 0; /* a shortage of memory is recognised by errno, because dlerror reports it only as text in
                      the user's language */
        *library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
        if (!*library && errno == ENOMEM)
            return status_out_of_memory(what);
    }
    if (!*library)
        return status_make(STATUS_UNAVAILABLE, "%s is not installed (no %s)", what, names[0]);
    return status_ok();
}

Status dynamic_load(void *library, const char *what, const DynamicRow *rows, void *functions)
{
    for (; rows->name; rows++) {
        void *address = dlsym(library, rows->name);
        if (!address)
            return status_make(STATUS_UNAVAILABLE, "%s is too old: it has no %s", what, rows->name);
        /* ISO C has no cast from a data pointer to a function pointer; POSIX guarantees the same
         * representation. */
        memcpy((char *)functions + rows->offset, &address, sizeof address);
    }
    return status_ok();
}
