/* Runs any direct method on any backend. The stages are called apart so that they can be timed apart:
 *
 *   bind   once per rig: joint sets, per-vertex values of the method     skinner_create
 *   pose   once per frame: joint transformations to the palette          skinner_pose
 *   skin   per vertex: the kernel                                        skinner_skin
 *   read   the result in the vertex order of the file                    skinner_read
 *
 * skinner_skin_frames does the last two at once.
 *
 * P joints, N vertices, F frames, S joint sets. */
#pragma once

#include "datasets/model/shape_transforms.h"
#include "methods/runtime/backend.h"
#include "methods/runtime/skinning_entry.h"

typedef struct SkinnerOptions {
    const SkinningEntry *entry; /* the method */
    ParameterValues parameters;
    const Backend *backend; /* NULL: reference */
    const char *simd_level; /* NULL: the best this machine has */
    int threads;            /* 0: one */
    int device_frames,
        device_group;   /* of a work item, and work items of a group (devices); 0: the device's own */
    bool check_outputs; /* refuse a method whose stages write too much or too little (always in Debug) */
    bool normals;       /* skin normals too: area-weighted vertex normals of the rest pose */
    /* Two-phase skinning (DQS 4.2): the method gets rigid transformations, and the rig's scale is applied
     * to the rest pose before, by linear blending. A method that takes any transformation (rigid_only is
     * false) always gets both in one. For others a rig with scale is refused without it. */
    bool two_phase;
    /* What blends the first phase: a method whose palette is the transformations and nothing else (lbs).
     * NULL: two phases are for methods that take any transformation alone. */
    const SkinningEntry *first_phase;
    /* How the rig's frames are kept as shapes for skinner_pose_shapes; `reference` has them SHAPES_EXACT. */
    ShapeForm shapes;
} SkinnerOptions;

typedef struct Skinner Skinner;

/* Binds a method to a rig on a backend. mesh and rig must outlive the Skinner. Refuses with
 * STATUS_BAD_INPUT a rig the method cannot take, with STATUS_UNAVAILABLE a backend that is not here, with
 * STATUS_USAGE a method whose table is not in order (skinning_entry_check). An empty mesh (N = 0) is
 * legal. Release with skinner_free (NULL is allowed). */
Status skinner_create(const SkinnerOptions *options, const Mesh *mesh, const Rig *rig, Skinner **out);
void skinner_free(Skinner *skinner);
DEFINE_OWNED_BY(Skinner, skinner_free)

/* Returns what a user should know of the bound rig, in a sentence; empty: nothing. */
const char *skinner_note(const Skinner *skinner);

/* Poses `frame_count` frames: transforms [frame_count][P], scale likewise or NULL (none; with scale the
 * Skinner must have been made for two phases). On a device the palettes are there when it returns. */
Status skinner_pose(Skinner *skinner, const Transform *transforms, const Mat3 *scale, int frame_count);

/* Poses frames that are blends of the rig's own (shape_transforms.h): shares [frame_count][S], S frames of
 * the rig. Of a Skinner with `shapes`. */
Status skinner_pose_shapes(Skinner *skinner, const float *shares, int frame_count);

/* How many frames of a mesh are worth posing at once where there are many. */
int skinner_block_frames(int vertex_count);

/* Skins all posed frames; finished when it returns. */
Status skinner_skin(Skinner *skinner);

/* Counts what the method counts (its `counters`) in one frame: transforms [P]. Poses the frame for itself, in
 * double, and touches nothing else. */
Status skinner_count(const Skinner *skinner, const Transform *transforms,
                     double counts[SKINNING_COUNTERS_MAX]);

/* Skins all posed frames and brings them into file order: positions [frame_count][N][3]; normals likewise or
 * NULL. What a caller who wants meshes waits for; the numbers of skinner_skin and skinner_read. Afterwards no
 * frame can be read but after another skinner_skin. */
Status skinner_skin_frames(Skinner *skinner, float *positions, float *normals);

/* The share of the vertices that skinner_skin_frames writes in runs that follow each other in the file, the
 * others one by one; NaN: a device writes them. */
double skinner_frame_straight(const Skinner *skinner);

/* What the device itself says of the last skinner_skin or skinner_skin_frames; false: the backend has
 * none. */
bool skinner_device_times(const Skinner *skinner, DeviceTimes *out);
/* After skinner_skin, which is run again, of at least one vertex and frame. STATUS_UNAVAILABLE: the backend
 * has no device. */
Status skinner_device_measure(Skinner *skinner, DeviceSample *out);

/* Brings one of the posed frames into file order: positions [N][3]; normals [N][3] or NULL. */
Status skinner_read(Skinner *skinner, int frame, float *positions, float *normals);
/* As above without rounding to float; the same numbers for every backend but `reference`. */
Status skinner_read_double(Skinner *skinner, int frame, double *positions, double *normals);

/* The instruction-set level that the skin stage runs: "v4"; "": without vectors; NULL: not in floats on this
 * processor. */
const char *skinner_simd_level(const Skinner *skinner);
/* What the skin stage takes at least per vertex, posed by transforms [P], on vectors of this many lanes: for
 * the limits that a machine sets it. STATUS_UNAVAILABLE: nothing counts it (in double, on devices, in two
 * phases). */
Status skinner_work(const Skinner *skinner, const Transform *transforms, int vector_lanes, KernelWork *out);
const JointSets *skinner_joint_sets(const Skinner *skinner);
