#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "datasets/base/address_space.h"

#include <sys/mman.h>
#include <sys/resource.h>

bool address_space_has(size_t bytes)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return true;
    void *probe = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe == MAP_FAILED)
        return false;
    munmap(probe, bytes);
    return true;
}
