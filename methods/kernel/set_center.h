/* Values per joint set that the pose stage and the kernel of spherical blend skinning agree on. Common
 * subset of C11, OpenCL C and CUDA C. */
#ifndef SKINBENCH_KERNEL_SET_CENTER_H
#define SKINBENCH_KERNEL_SET_CENTER_H

/* A set's values are its centre r and, from SET_CENTER_MOVED on, the images C_k r under each of its joints.
 * The images are stored only for sets of at most SET_CENTER_JOINTS joints; the kernel computes those of the
 * few larger sets. One padding value makes whole vectors. */
enum { SET_CENTER_MOVED = 3, SET_CENTER_JOINTS = 4, SET_CENTER_FLOATS = 16 };

#endif
