/* Code shared by the device backends: the arrays that a kernel reads, and their transfers. OpenCL and CUDA
 * differ only in the functions of DeviceApi. Two-phase skinning runs as one kernel: the same work item
 * blends C'_j and then runs the method, so the scaled rest pose is never stored. A frame posed without
 * scale uses C'_j = I.
 *
 * A method's kernel is compiled to one program for each variant in use. If all joint sets of all frames use
 * one variant, only its program runs, without tests. Otherwise each variant's program runs over all tiles
 * and skips the tiles of other variants. */
#pragma once

#include "methods/runtime/backends/device_api.h"
#include "methods/runtime/backends/implementation.h"

/* Creates the state of a device backend, which passes its api; device_functions are the functions that all
 * device backends use. */
Status device_create(const DeviceApi *api, const BackendBinding *binding, void **state);
extern const BackendFunctions device_functions;
