/* The kernels that measure devices (limits.kernel.h), also for compiling them ahead of time. */
#pragma once

typedef enum LimitKernel {
    LIMIT_NOTHING,
    LIMIT_READ,
    LIMIT_WRITE,
    LIMIT_ARITHMETIC,
    LIMIT_TEXTBOOK,
    LIMIT_KERNELS
} LimitKernel;

/* Returns the source of a kernel; release it with memory_free. NULL if out of memory. */
char *limit_program(LimitKernel kernel);

/* Numbers of frames per work item that are tried in addition to a device's default; the list ends with
 * 0. */
extern const int device_tuning_frames[];
