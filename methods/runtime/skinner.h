/* Runs any direct method on any backend. Each stage has its own function, so that it can be timed
 * separately:
 *   bind   once per rig: joint sets, per-vertex values of the method     skinner_create
 *   pose   once per frame: joint transformations to the palette          skinner_pose
 *   skin   per vertex: the kernel                                        skinner_skin
 *   read   the result in the vertex order of the file                    skinner_read
 *
 * skinner_skin_frames combines skin and read.
 *
 * P joints, N vertices, F frames, S joint sets. */
#pragma once

#include "datasets/model/shape_transforms.h"
#include "methods/runtime/backend.h"
#include "methods/runtime/skinning_entry.h"

/* What a method prepared for a rig (SkinningMethod.prepare), kept for further skinners of the same method,
 * parameters, mesh, rig and number of threads. Zeroed at first; release with skinner_cache_clear. */
typedef struct SkinnerCache {
    const SkinningMethod *method;
    void *prepared;
    int threads;    /* 0: nothing is kept */
    double seconds; /* how long `prepare` took */
    double saved_s; /* time that skinner_create saved in its last call; 0 if it prepared the rig itself */
} SkinnerCache;
void skinner_cache_clear(SkinnerCache *cache);

typedef struct SkinnerOptions {
    const SkinningEntry *entry; /* the method */
    ParameterValues parameters;
    const Backend *backend; /* NULL: reference */
    const char *simd_level; /* instruction-set level; NULL: the best level of this machine */
    int threads;            /* 0: one */
    int device_frames,
        device_group; /* on devices, frames per work item and work items per group; 0: the device's default */
    bool check_outputs; /* whether to reject a method whose stages write too many or too few values (always on
                           in Debug builds) */
    bool normals; /* whether to skin normals as well, starting from area-weighted vertex normals of the rest
                     pose */
    /* Two-phase skinning (DQS 4.2): linear blending first applies the rig's scale to the rest pose; then
     * the method gets rigid transformations. A method that accepts any transformation (rigid_only is false)
     * always applies both at once. Any other method rejects a rig with scale unless two_phase is set. */
    bool two_phase;
    /* Method that blends the first phase. Its palette must hold nothing but the transformations (lbs). If
     * NULL, two phases are available only for methods that accept any transformation. */
    const SkinningEntry *first_phase;
    /* How the rig's frames are stored as shapes for skinner_pose_shapes. The reference backend always uses
     * SHAPES_EXACT. */
    ShapeForm shapes;
    SkinnerCache *cache; /* NULL: the method prepares the rig for this skinner alone */
} SkinnerOptions;

typedef struct Skinner Skinner;

/* Binds a method to a rig on a backend. `mesh` and `rig` must outlive the Skinner. Returns STATUS_BAD_INPUT
 * if the method cannot use the rig, STATUS_UNAVAILABLE if the backend is missing, and STATUS_USAGE if the
 * method's table is faulty (skinning_entry_check). An empty mesh (N = 0) is legal. Release with
 * skinner_free, which accepts NULL. */
Status skinner_create(const SkinnerOptions *options, const Mesh *mesh, const Rig *rig, Skinner **out);
void skinner_free(Skinner *skinner);
DEFINE_OWNED_BY(Skinner, skinner_free)

/* Returns a sentence about the bound rig that a user should know; empty if there is none. */
const char *skinner_note(const Skinner *skinner);

/* Poses `frame_count` frames from transforms [frame_count][P] and scale [frame_count][P], which may be
 * NULL. Scale requires a Skinner made for two phases. On return, the palettes are on the device. */
Status skinner_pose(Skinner *skinner, const Transform *transforms, const Mat3 *scale, int frame_count);

/* Poses frames of the rig, from frame `first` on, with their scale. */
Status skinner_pose_frames(Skinner *skinner, int first, int frame_count);

/* Poses frames that are weighted sums of the rig's own frames (shape_transforms.h). shares [frame_count][S]
 * holds the weights of S frames of the rig. Requires a Skinner made with `shapes`. */
Status skinner_pose_shapes(Skinner *skinner, const float *shares, int frame_count);

/* Returns how many frames to pose together for a mesh of this size. */
int skinner_block_frames(int vertex_count);

/* Skins all posed frames. The work is complete when the function returns. */
Status skinner_skin(Skinner *skinner);

/* Fills in the method's counters (`counters` in its table) for one frame, posed by transforms [P]. The
 * frame is posed separately in double; the posed frames do not change. */
Status skinner_count(const Skinner *skinner, const Transform *transforms,
                     double counts[SKINNING_COUNTERS_MAX]);

/* Skins all posed frames and writes them in file order: positions and normals (or NULL), both
 * [frame_count][N][3]. The numbers equal those of skinner_skin and skinner_read. Afterwards frames can be
 * read only after another call of skinner_skin. */
Status skinner_skin_frames(Skinner *skinner, float *positions, float *normals);
/* Poses frames of the rig as skinner_pose_frames does, and skins them like that. */
Status skinner_skin_rig(Skinner *skinner, int first, int frame_count, float *positions, float *normals);

/* Returns the fraction of the vertices that skinner_skin_frames writes in runs of consecutive vertices.
 * Each of the other vertices is written separately. NaN if a device writes the vertices. */
double skinner_frame_straight(const Skinner *skinner);

/* Fills in the device's own times of the last skinner_skin or skinner_skin_frames. Returns false if the
 * backend does not measure device times. */
bool skinner_device_times(const Skinner *skinner, DeviceTimes *out);
/* Measures the device by running the skin stage again. Call skinner_skin first, with at least one vertex
 * and frame. STATUS_UNAVAILABLE if the backend has no device. */
Status skinner_device_measure(Skinner *skinner, DeviceSample *out);

/* Reads one posed frame in file order: positions [N][3], and normals [N][3] unless NULL. */
Status skinner_read(Skinner *skinner, int frame, float *positions, float *normals);
/* Reads like skinner_read but without rounding to float, which makes a difference only on the reference
 * backend. */
Status skinner_read_double(Skinner *skinner, int frame, double *positions, double *normals);

/* Returns the instruction-set level of the skin stage, such as "v4", or empty text if it uses no vectors.
 * Returns NULL if the stage does not run in floats on this processor. */
const char *skinner_simd_level(const Skinner *skinner);
/* Computes a lower bound of the skin stage's work per vertex, for comparison with measured times. The pose
 * is given by transforms [P], and vectors have `vector_lanes` lanes. Fails with STATUS_UNAVAILABLE in
 * double precision, on devices and for two phases, because operations are not counted there. */
Status skinner_work(const Skinner *skinner, const Transform *transforms, int vector_lanes, KernelWork *out);
const JointSets *skinner_joint_sets(const Skinner *skinner);
