/* Shared by the parts of the glTF export: complete files (gltf_export.c), a skin put into the file that the
 * mesh came from (gltf_into.c), and the skin with its clips (gltf_skin_write.c). */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/formats/gltf_skin.h"
#include "datasets/formats/gltf_writer.h"
#include "datasets/io/store.h"

enum { GLTF_DEFAULT_FPS = 30, GLTF_SLOTS = 4 }; /* GLTF_SLOTS: influences in a JOINTS_n set */

typedef struct GltfExport {
    const ExportOptions *options;
    DatasetReader *reader;
    const Dataset *dataset; /* without its positions */
    Rig rig;                /* borrows the data set's arrays, except `joined` if the rig has a scale */
    Transform *joined;      /* [F][P] transforms that include the scale, or NULL */
    GltfSkin skin;
    Clips clips; /* clips of the data set, or a single one with all frames */
    AtomicPath path;
    GltfWriter writer;
    double diagonal;
    int32_t *joint_nodes;      /* [P] nodes of the joints; -1: not yet written */
    int first_joint;           /* joint whose node was written first, or -1 */
    struct GltfSource *source; /* the file options->into, or NULL */
    const int32_t *animations; /* [clips] existing animation of each clip, or -1; NULL: none */
} GltfExport;

/* Sets the clips for an export of `frames` frames. */
Status gltf_clips_choose(GltfExport *export, int frames);

/* Writes the first `count` key times of a clip and returns the number of their accessor. */
int gltf_times_write(GltfExport *export, int clip, int count);

/* Returns the animation of a clip: the source's, or else a new one without channels, appended to root. */
json_t *gltf_clip_open(const GltfExport *export, int number, json_t *root);
void gltf_channel_append(json_t *clip, int input, int output, int node, const char *path);

/* Appends a node for each joint that has none, and the keys of the joints. Roots become children of node
 * `above`. */
void gltf_joints_write(GltfExport *export, int above, json_t *root);

/* Writes COLOR_0 if colours are requested, and the influences of a range of vertices. JOINTS_0 and
 * WEIGHTS_0 hold the four heaviest, JOINTS_1 and WEIGHTS_1 the next four. */
void gltf_attributes_write(GltfExport *export, int first_vertex, int vertices, json_t *attributes);

/* Returns a skin of all joints with inverse_binds [P][16]. */
json_t *gltf_skin_to_json(GltfExport *export, const float *inverse_binds);

/* ---- gltf_into.c ---- */

/* Opens options->into and finds the joints of the rig that are nodes of that file: those with the same name
 * and the same motion. Their bind transformations become rig.rest. STATUS_BAD_INPUT if the data set has
 * other vertices or triangles. */
Status gltf_source_open(GltfExport *export);
void gltf_source_free(struct GltfSource *source);

/* Builds the whole source file with the new skin instead of its old ones. The caller owns *root. */
Status gltf_source_write(GltfExport *export, json_t **root);
