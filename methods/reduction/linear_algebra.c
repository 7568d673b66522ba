#include "methods/reduction/linear_algebra.h"

#include <omp.h>

int linear_algebra_serialize(void)
{
    int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    return threads;
}

void linear_algebra_restore(int threads)
{
    omp_set_num_threads(threads);
}
