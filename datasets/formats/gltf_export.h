/* Declarations shared by the three files of the glTF export. gltf_export.c exports complete files.
 * gltf_into.c replaces the skin in the file that the mesh came from. gltf_skin_write.c writes the skin and
 * its clips. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/formats/gltf_skin.h"
#include "datasets/formats/gltf_writer.h"
#include "datasets/io/store.h"

enum {
    GLTF_DEFAULT_FPS = 30,
    GLTF_SLOTS = 4
}; /* GLTF_SLOTS: number of influences in one attribute JOINTS_n */

typedef struct GltfExport {
    const ExportOptions *options;
    DatasetReader *reader;
    const Dataset *dataset; /* the data set without its positions */
    Rig rig; /* the rig; its arrays belong to the data set, but `transforms` is `joined` if the rig has a
                scale */
    Transform *joined; /* [F][P] transforms multiplied by the scale; NULL if there is no scale */
    GltfSkin skin;
    Clips clips; /* clips of the data set, or one clip with all frames */
    AtomicPath path;
    GltfWriter writer;
    double diagonal;
    int32_t *joint_nodes;      /* [P] node of each joint; -1: not yet written */
    int first_joint;           /* joint whose node was written first, or -1 */
    struct GltfSource *source; /* the opened file options->into, or NULL */
    const int32_t *animations; /* [clips] animation of the source file that each clip replaces, -1: a new
                                  animation; NULL: all are new */
} GltfExport;

/* Sets the clips for an export of `frames` frames. */
Status gltf_clips_choose(GltfExport *export, int frames);

/* Writes the times of the first `count` keys of a clip. Returns the number of their accessor. */
int gltf_times_write(GltfExport *export, int clip, int count);

/* Returns the animation for a clip: either the animation in the source file, or a new one without channels,
 * which is appended to root. */
json_t *gltf_clip_open(const GltfExport *export, int number, json_t *root);
void gltf_channel_append(json_t *clip, int input, int output, int node, const char *path);

/* A part of a node's place, as a channel animates it. */
enum { GLTF_KEY_PARTS = 3 };
typedef struct GltfKeyPart {
    const char *path;
    size_t offset; /* how many bytes into a JointKey the translation, rotation or scale begins */
    int width;
    GltfArray array;
} GltfKeyPart;
extern const GltfKeyPart gltf_key_parts[GLTF_KEY_PARTS];

/* Appends a node to the list `nodes`, as a child of the node `parent` (-1: of none), and returns its number.
 * gltf_node_adopt makes a node the last child of another one. */
int gltf_node_append(json_t *nodes, const char *name, const JointKey *place, int parent);
void gltf_node_adopt(json_t *nodes, int parent, int child);

/* Appends a node for each joint that has none yet, and the keys of all joints. Joints without a parent
 * become children of node `above`. */
void gltf_joints_write(GltfExport *export, int above, json_t *root);

/* Writes the influences of a range of vertices, and COLOR_0 if colours are requested. JOINTS_0 and
 * WEIGHTS_0 have the four largest weights of each vertex, JOINTS_1 and WEIGHTS_1 the next four, and so
 * on. */
void gltf_attributes_write(GltfExport *export, int first_vertex, int vertices, json_t *attributes);

/* Returns a skin with all joints and the inverse bind matrices inverse_binds [P][16]. */
json_t *gltf_skin_to_json(GltfExport *export, const float *inverse_binds);

/* ---- gltf_into.c ---- */

/* Opens options->into and finds the joints of the rig that exist in that file with the same name and
 * motion. Their bind transformations become rig.rest. STATUS_BAD_INPUT if the data set has other vertices
 * or triangles than the file. */
Status gltf_source_open(GltfExport *export);
void gltf_source_free(struct GltfSource *source);

/* Builds the JSON of the source file with the new skin in place of the old ones. The caller owns *root. */
Status gltf_source_write(GltfExport *export, json_t **root);
