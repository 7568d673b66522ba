/* Packs a mesh by Draco's own encoder, for test_gltf_draco.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A sheet of `vertices` with floats, joints as 16-bit and weights as floats; weights NULL: none. Its unique
 * ids are 7 (positions), 3 (joints) and 5 (weights). `sequential`: the vertices keep their order. Returns the
 * bytes used of out [size]. */
size_t draco_encode(int vertices, const float *positions, const uint16_t *joints, const float *weights,
                    int triangles, const int32_t *corners, int sequential, unsigned char *out, size_t size);

#ifdef __cplusplus
}
#endif
