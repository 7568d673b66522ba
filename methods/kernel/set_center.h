/* Layout of the values per joint set, shared by the pose stage and the kernel of spherical blend skinning.
 * Common subset of C11, OpenCL C and CUDA C. */
#ifndef SKINBENCH_KERNEL_SET_CENTER_H
#define SKINBENCH_KERNEL_SET_CENTER_H

/* The values of a set are its centre r and, from SET_CENTER_MOVED on, the images C_k r under each of its
 * joints. Images are stored only for sets of at most SET_CENTER_JOINTS joints; for the few larger sets the
 * kernel computes them. One padding value fills up the last vector. */
enum { SET_CENTER_MOVED = 3, SET_CENTER_JOINTS = 4, SET_CENTER_FLOATS = 16 };

#endif
