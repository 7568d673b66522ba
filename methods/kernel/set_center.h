/* What the pose stage and the kernel of spherical blend skinning agree on: the values of a joint set. Common
 * subset of C11, OpenCL C and CUDA C. */
#ifndef SKINBENCH_KERNEL_SET_CENTER_H
#define SKINBENCH_KERNEL_SET_CENTER_H

/* The centre r of the set, and from SET_CENTER_MOVED on, where each of its joints moves it, C_k r: of sets of
 * at most SET_CENTER_JOINTS joints. Those of others, of which there are few, are left to the kernel. One
 * value more makes whole vectors. */
enum { SET_CENTER_MOVED = 3, SET_CENTER_JOINTS = 4, SET_CENTER_FLOATS = 16 };

#endif
