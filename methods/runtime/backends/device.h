/* Code shared by the device backends: the arrays that a kernel reads, and their transfers. OpenCL and CUDA
 * differ only in the functions of DeviceApi. Two-phase skinning runs as one kernel: each work item blends
 * C'_j and then runs the method, so the scaled rest pose is never stored. For a frame posed without scale,
 * C'_j = I.
 *
 * A method's kernel is compiled to one program for each variant in use. If all joint sets of all frames use
 * one variant, only its program runs, without tests. Otherwise each variant's program runs over all tiles
 * and skips tiles of other variants. */
#pragma once

#include "methods/runtime/backends/device_api.h"
#include "methods/runtime/backends/implementation.h"

/* Creates the state of a device backend, given the functions that are specific to the backend. The
 * functions that all device backends share are in device_functions. */
Status device_create(const DeviceApi *api, const BackendBinding *binding, void **state);
extern const BackendFunctions device_functions;
