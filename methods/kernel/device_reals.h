/* Neighbouring Reals that a device loads or stores with one instruction. DEVICE_REALS is their number, or 1
 * if it is not defined. */
#ifndef SKINBENCH_KERNEL_DEVICE_REALS_H
#define SKINBENCH_KERNEL_DEVICE_REALS_H

#include "datasets/geometry/dialect.h"

#if !defined(DEVICE_REALS)
#define DEVICE_REALS 1
#endif

#if defined(__CUDACC__) /* NVRTC ignores the attribute and would store one Real after another */
#define DEVICE_ALIGNED __align__(DEVICE_REALS * sizeof(Real))
#else
#define DEVICE_ALIGNED __attribute__((aligned(DEVICE_REALS * sizeof(Real))))
#endif

typedef struct DEVICE_ALIGNED DeviceReals {
    Real at[DEVICE_REALS];
} DeviceReals;

#endif
