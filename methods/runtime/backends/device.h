/* What the backends on devices share: the arrays a kernel reads, and when they travel. OpenCL and CUDA differ
 * only in the functions of DeviceApi. Two-phase skinning is one kernel here: what blends C'_j stands before
 * the method in the same work item, and the scaled rest pose is never stored. A frame posed without scale
 * gets C'_j = I.
 *
 * A method's kernel is compiled once per variant that its frames take, each to a program of its own. Where
 * all joint sets of all frames take one variant that program runs alone and asks nothing; else every
 * variant's runs over all tiles and leaves out those that take another. */
#pragma once

#include "methods/runtime/backends/device_api.h"
#include "methods/runtime/backends/implementation.h"

/* The `create` of a backend, but for its api, and what follows it. */
Status device_create(const DeviceApi *api, const BackendBinding *binding, void **state);
extern const BackendFunctions device_functions;
