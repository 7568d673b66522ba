/* What the parts of the glTF export share: a file of its own (gltf_export.c), a skin put into the file that
 * it came from (gltf_into.c), the skin and its clips (gltf_skin_write.c). */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/formats/gltf_skin.h"
#include "datasets/formats/gltf_writer.h"
#include "datasets/io/store.h"

enum { GLTF_DEFAULT_FPS = 30, GLTF_SLOTS = 4 }; /* influences of a set */

typedef struct GltfExport {
    const ExportOptions *options;
    DatasetReader *reader;
    const Dataset *dataset; /* but for its positions */
    Rig rig;                /* the data set's arrays, but for transforms where there is a scale */
    Transform *joined;      /* [F][P] those, or NULL */
    GltfSkin skin;
    Clips clips; /* the data set's, or one of all frames */
    AtomicPath path;
    GltfWriter writer;
    double diagonal;
    int32_t *joint_nodes;      /* [P] nodes of the joints, -1: not yet there */
    int first_joint;           /* whose node was written first, -1: none was */
    struct GltfSource *source; /* of options->into, or NULL */
    const int32_t *animations; /* [clips] that the clips are already, -1: none; NULL */
} GltfExport;

/* Sets the clips of `frames` frames. */
Status gltf_clips_choose(GltfExport *export, int frames);

/* Writes the first `count` key times of a clip: their accessor. */
int gltf_times_write(GltfExport *export, int clip, int count);

/* The animation of a clip: that of the source, or one without channels, the root's last. */
json_t *gltf_clip_open(const GltfExport *export, int number, json_t *root);
void gltf_channel_append(json_t *clip, int input, int output, int node, const char *path);

/* Appends the nodes of the joints that have none, roots as children of node `above`, and their keys. */
void gltf_joints_write(GltfExport *export, int above, json_t *root);

/* Writes COLOR_0, where colours are asked for, and the influences of some vertices: JOINTS_0 and WEIGHTS_0
 * the four heaviest, JOINTS_1 and WEIGHTS_1 the next. */
void gltf_attributes_write(GltfExport *export, int first_vertex, int vertices, json_t *attributes);

/* A skin of all joints, inverse_binds [P][16]. */
json_t *gltf_skin_to_json(GltfExport *export, const float *inverse_binds);

/* ---- gltf_into.c ---- */

/* Opens options->into and finds which joints of the rig are nodes of it: joints of the same name that move
 * alike. Their binds become rig.rest. STATUS_BAD_INPUT where the data set has other vertices or triangles. */
Status gltf_source_open(GltfExport *export);
void gltf_source_free(struct GltfSource *source);

/* The whole of that file but for its skins, with the skin in it: *root is new. */
Status gltf_source_write(GltfExport *export, json_t **root);
