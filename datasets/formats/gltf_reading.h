/* A glTF file that is being read into a scene. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/formats/gltf_file.h"
#include "datasets/formats/scene.h"

typedef struct GltfReading {
    GltfFile file;
    Scene *scene;
    const FormatNotes *notes;
    double read_bytes; /* what the scene's arrays hold so far */
} GltfReading;

/* Counts what an array takes before it is allocated. STATUS_BAD_INPUT: more than the file is expected to
 * make. */
Status gltf_bytes_add(GltfReading *reading, double bytes, const char *place);

/* The name of an object, or that of its kind with its number. */
Status gltf_name_copy(const json_t *object, const char *kind, int number, char **out);
