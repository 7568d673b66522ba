/* Encodes a mesh with Draco's own encoder, for test_gltf_draco.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Encodes a mesh of `vertices` with float positions, 16-bit joints and float weights (NULL for none). The
 * unique ids are 7 (positions), 3 (joints) and 5 (weights). With `sequential`, the vertices keep their
 * order. Returns the number of bytes written to out [size]. */
size_t draco_encode(int vertices, const float *positions, const uint16_t *joints, const float *weights,
                    int triangles, const int32_t *corners, int sequential, unsigned char *out, size_t size);

#ifdef __cplusplus
}
#endif
