/* The kernels by which devices are measured (limits.kernel.h), also for compiling them ahead of time. */
#pragma once

typedef enum LimitKernel {
    LIMIT_NOTHING,
    LIMIT_READ,
    LIMIT_WRITE,
    LIMIT_ARITHMETIC,
    LIMIT_TEXTBOOK,
    LIMIT_KERNELS
} LimitKernel;

/* The text of a kernel, for memory_free; NULL: out of memory. */
char *limit_program(LimitKernel kernel);

/* Frames per work item that are tried beside a device's own; ends with 0. */
extern const int device_tuning_frames[];
