/** @file
 * skinbench as a library: data sets, direct skinning, decomposition into rigs, and measuring how far one
 * animation is from another. Usable from C11 and C++. Link with -lskinbench (`pkg-config --cflags --libs
 * skinbench`, or the CMake target skinbench::skinbench).
 *
 * Letters in shapes: N vertices, T triangles, F frames, P joints, K influence slots per vertex, r rank.
 * Arrays are dense, row by row; a matrix [3][4] is a linear part and a translation in its last column.
 * Lengths are in the data set's own unit.
 *
 * Failures: a function that can fail returns a SkinbenchStatus, with one line of text that says where and
 * what. It then sets handles to NULL and leaves nothing to release. If a required argument is NULL, a
 * function fails with SKINBENCH_USAGE; results (`out`, `model`) must not be NULL. Nothing is printed, and
 * nothing from outside (a file, an argument, a failed allocation) ends the process.
 *
 * Ownership: the caller owns what a function returns, and releases it with the function named there, which
 * accepts NULL. Arguments are copied or only read, unless the function says that it keeps them.
 *
 * Threads: several threads may use different handles at once. They may also share a data set, because no
 * function changes one, or a skinner, which they then use in turn. `threads` limits the OpenMP threads of a
 * call; 0 means all that the process may use (affinity, quota of its control group, OMP_NUM_THREADS). Results
 * do not depend on `threads`. Waiting OpenMP threads may spin unless OMP_WAIT_POLICY=passive is set.
 *
 * Files: a file that the process has read with this library is never overwritten; an attempt fails with
 * SKINBENCH_USAGE. Files that the process wrote itself are an exception, but a data set is never written over
 * the file that it was read from.
 *
 * Files may be hostile, so child processes read and write them. Do not reap all children with wait(), and do
 * not use HDF5 in another thread during a call.
 *
 * Memory: arrays are aligned to 64 bytes. Sizes are checked before anything is allocated.
 * skinbench_memory_limit limits the total size of all arrays. */
#ifndef SKINBENCH_H
#define SKINBENCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Marks the functions that the library exports. */
#define SKINBENCH_API __attribute__((visibility("default")))

/** How a call ended. The numbers are those of the program's exit codes. */
typedef enum SkinbenchCode {
    SKINBENCH_OK = 0,
    SKINBENCH_CHECK_FAILED = 1, /**< a result is not finite, or no bone count reaches the error */
    SKINBENCH_USAGE = 2,        /**< the caller's arguments make no sense */
    SKINBENCH_BAD_INPUT = 3,    /**< a file or its values are damaged or impossible */
    SKINBENCH_UNAVAILABLE = 4,  /**< a device or library is missing */
    SKINBENCH_MACHINE = 5,      /**< the system failed: out of memory, disk full */
    SKINBENCH_STOPPED = 130     /**< the progress function asked to stop */
} SkinbenchCode;

enum {
    SKINBENCH_TEXT_BYTES = 512,   /**< size of a status text */
    SKINBENCH_DEFAULT_BYTES = 64, /**< size of a parameter's default value, as text */
    SKINBENCH_RANGE_BYTES = 256   /**< size of a parameter's range, as text */
};

/** Returned by every function that can fail. */
typedef struct SkinbenchStatus {
    SkinbenchCode code;              /**< SKINBENCH_OK on success */
    char text[SKINBENCH_TEXT_BYTES]; /**< one printable line; empty on success */
} SkinbenchStatus;

/** Receives the progress of long work, and can stop it. */
typedef struct SkinbenchProgress {
    /** Called in the thread that called the library, with a name of the work and the share done, 0 to 1. A
     * NULL `what` only asks whether to stop. If it returns anything but 0, the call ends with
     * SKINBENCH_STOPPED. */
    int (*report)(void *context, const char *what, double share);
    void *context; /**< passed to report */
} SkinbenchProgress;

/** Returns the version as a static text, such as "0.1.0". */
SKINBENCH_API const char *skinbench_version(void);

/** Limits the total bytes of the library's arrays in this process. 0, the default, means the machine's
 * memory. An allocation beyond the limit fails with SKINBENCH_MACHINE. Messages call it --memory-limit, as
 * the program does. */
SKINBENCH_API void skinbench_memory_limit(size_t bytes);

/** Returns the bytes that the library's arrays hold now. */
SKINBENCH_API size_t skinbench_memory_live(void);

/** @name Lists
 * Methods, generators, backends, metrics and scores, with their parameters. All texts are static. @{ */

/** Kinds of entries that can be listed. */
typedef enum SkinbenchKind {
    SKINBENCH_SKINNING_METHODS,      /**< for skinbench_skinner_create */
    SKINBENCH_DECOMPOSITION_METHODS, /**< for skinbench_fit */
    SKINBENCH_GENERATORS,            /**< for skinbench_dataset_generate */
    SKINBENCH_BACKENDS,              /**< devices and instruction sets that run direct methods */
    SKINBENCH_METRICS,               /**< results of skinbench_measure, in this order */
    SKINBENCH_SCORES                 /**< results of skinbench_score, in this order */
} SkinbenchKind;

/** A method, generator, backend or metric. */
typedef struct SkinbenchEntry {
    const char *name;    /**< name for requests, such as "lbs" */
    const char *title;   /**< for people */
    const char *detail;  /**< paper of a method, unit of a metric, else empty */
    int parameter_count; /**< number of its settings */
} SkinbenchEntry;

/** A parameter of a method or generator, set by "name=value". */
typedef struct SkinbenchParameter {
    const char *name;    /**< name in "name=value" */
    const char *meaning; /**< one line */
    const char
        *type; /**< "real", "integer", "flag", "choice", "preset" (of other parameters) or "attribute" */
    char default_text[SKINBENCH_DEFAULT_BYTES]; /**< value if it is not set */
    char range[SKINBENCH_RANGE_BYTES];          /**< "0 to 1", "yes or no", or words separated by commas */
} SkinbenchParameter;

/** Returns how many entries of a kind there are. */
SKINBENCH_API int skinbench_count(SkinbenchKind kind);

/** Gets entry `index` of a kind, from 0. Returns 1, or 0 if there is none. */
SKINBENCH_API int skinbench_entry(SkinbenchKind kind, int index, SkinbenchEntry *out);

/** Returns the index of the entry of this name, or -1. */
SKINBENCH_API int skinbench_index(SkinbenchKind kind, const char *name);

/** Gets parameter `parameter` of entry `index` of a kind. Returns 1, or 0 if there is none. */
SKINBENCH_API int skinbench_parameter(SkinbenchKind kind, int index, int parameter, SkinbenchParameter *out);

/** Checks whether a backend can run here. SKINBENCH_UNAVAILABLE says what is missing. SKINBENCH_USAGE
 * means that there is no backend of this name. */
SKINBENCH_API SkinbenchStatus skinbench_backend_check(const char *backend);

/** @} */

/** @name Data sets
 * A mesh with an optional animation, rig and low-rank model. @{ */

/** A data set in memory. */
typedef struct SkinbenchDataset SkinbenchDataset;

/** The arrays of a data set. A missing part has count 0 and NULL. */
typedef struct SkinbenchArrays {
    const char *name;         /**< short name in UTF-8; for this and the next texts, NULL means empty */
    const char *title;        /**< description in one line */
    const char *source;       /**< origin */
    const char *license;      /**< licence */
    double fps;               /**< frames per second; 0: unknown */
    int vertex_count;         /**< N */
    int triangle_count;       /**< T */
    int frame_count;          /**< F, number of frames of positions and normals */
    int joint_count;          /**< P */
    int pose_count;           /**< F, number of frames of transforms and scale */
    int influence_count;      /**< K */
    int rank;                 /**< r, rank of the low-rank model */
    int model_frame_count;    /**< F, number of frames of the low-rank model */
    const float *rest;        /**< [N][3] rest pose */
    const int32_t *triangles; /**< [T][3] vertex numbers, counter-clockwise seen from outside */
    const int32_t *original_vertices; /**< [N] original number of each vertex; NULL: the original order */
    const float *positions;           /**< [F][N][3] positions of the animation */
    const float *normals;             /**< [F][N][3] unit normals; NULL: none */
    const char *const *joint_names;   /**< [P] NULL means bone_0, bone_1, ... */
    const int32_t *parents;           /**< [P] -1 for a root; parents come first; NULL means all roots */
    const double *joint_rest;         /**< [P][3][4] A_j, absolute rest frames; NULL means identity */
    const double *transforms;         /**< [F][P][3][4] C_j = F_j inv(A_j): rest-pose point to posed point */
    const double *scale;              /**< [F][P][3][3] local scale of two-phase skinning; NULL: none */
    const int32_t *weight_joints;     /**< [N][K] joint of each slot; 0 in unused slots */
    const float *weights;      /**< [N][K] weight of each slot, 0 if unused; the sum for each vertex is 1 */
    const float *centers;      /**< [N][3] centres of rotation (cor); NULL: not computed */
    const double *basis;       /**< [3F][r] basis of the low-rank model; rows are x, y, z of each frame */
    const float *coefficients; /**< [r][N]; basis times coefficients gives the positions or, if there is a
                                  rig, the offsets that are added to the rest pose in each frame */
} SkinbenchArrays;

/** Reads a data set file. SKINBENCH_BAD_INPUT names file, place and value; for another format it names the
 * import to use. Release with skinbench_dataset_free. */
SKINBENCH_API SkinbenchStatus skinbench_dataset_read(const char *path, SkinbenchDataset **out);

/** Writes a data set file. An existing file of this name is replaced in one step. SKINBENCH_USAGE: the
 * file was read by this process (see above), or the name has the ending of another format. */
SKINBENCH_API SkinbenchStatus skinbench_dataset_write(const SkinbenchDataset *dataset, const char *path);

/** Copies arrays into a data set. SKINBENCH_USAGE: counts and arrays do not match. SKINBENCH_BAD_INPUT:
 * values are out of range or not finite, or weights have no positive sum. */
SKINBENCH_API SkinbenchStatus skinbench_dataset_create(const SkinbenchArrays *arrays, SkinbenchDataset **out);

/** Generates a data set. settings [setting_count] have the form "name=value"; progress may be NULL. */
SKINBENCH_API SkinbenchStatus skinbench_dataset_generate(const char *generator, const char *const *settings,
                                                         int setting_count, const SkinbenchProgress *progress,
                                                         SkinbenchDataset **out);

/** Imports a file, folder, pattern or archive of another format into a data set file. The format is detected.
 * `rest` is the file with rest pose and faces for formats without them, or NULL. progress may be NULL. */
SKINBENCH_API SkinbenchStatus skinbench_import(const char *input, const char *rest,
                                               const SkinbenchProgress *progress, const char *output);

/** Returns the data set's own arrays, not copies. They are valid until it is released. */
SKINBENCH_API SkinbenchArrays skinbench_dataset_arrays(const SkinbenchDataset *dataset);

/** Releases a data set. */
SKINBENCH_API void skinbench_dataset_free(SkinbenchDataset *dataset);

/** @} */

/** @name Direct skinning
 * A method is bound to a rig once, then skins frames of the rig or poses of the caller. @{ */

/** A direct method, bound to the rig of a data set on a backend. */
typedef struct SkinbenchSkinner SkinbenchSkinner;

/** How to skin. Members that are 0 or NULL have their default value. */
typedef struct SkinbenchSkinOptions {
    const char *method;          /**< one of SKINBENCH_SKINNING_METHODS; required */
    const char *backend;         /**< one of SKINBENCH_BACKENDS; NULL: "simd" */
    const char *const *settings; /**< [setting_count] "name=value" of the method's parameters */
    int setting_count;           /**< how many */
    int threads;                 /**< 0: as many as the process may use */
    int normals;                 /**< 1: also skin normals */
    int two_phase;               /**< 1: apply scale by linear blending, then skin. A rig with scale needs
                                    this, except for "lbs" */
} SkinbenchSkinOptions;

/** Binds a method to the rig of a data set, which must outlive the skinner. SKINBENCH_BAD_INPUT: the
 * method does not support this rig. SKINBENCH_UNAVAILABLE: the backend cannot run here. Release with
 * skinbench_skinner_free. */
SKINBENCH_API SkinbenchStatus skinbench_skinner_create(const SkinbenchDataset *dataset,
                                                       const SkinbenchSkinOptions *options,
                                                       SkinbenchSkinner **out);

/** Skins frames `first` to first + count - 1 of the rig into positions [count][N][3], in the data set's
 * vertex order. normals have the same shape, or are NULL; they need SkinbenchSkinOptions.normals. */
SKINBENCH_API SkinbenchStatus skinbench_skin_frames(SkinbenchSkinner *skinner, int first, int count,
                                                    float *positions, float *normals);

/** Skins the caller's poses: transforms [count][P][3][4], from rest-pose points to posed points; scale
 * [count][P][3][3] or NULL. Results are as in skinbench_skin_frames. */
SKINBENCH_API SkinbenchStatus skinbench_skin_poses(SkinbenchSkinner *skinner, const double *transforms,
                                                   const double *scale, int count, float *positions,
                                                   float *normals);

/** Releases a skinner. */
SKINBENCH_API void skinbench_skinner_free(SkinbenchSkinner *skinner);

/** @} */

/** @name Decomposition
 * The rig, or low-rank model, that reproduces an animated mesh best. @{ */

/** What to fit. Members that are 0 or NULL have their default value. */
typedef struct SkinbenchFitOptions {
    const char *method;  /**< one of SKINBENCH_DECOMPOSITION_METHODS; required */
    int bones;           /**< P, at least 1; if `error` is set, the maximum (default 128) */
    double error;        /**< find the fewest bones that reach this E_RMS; 0: fit `bones` */
    int influences;      /**< K, 1 to 32; 0: 4 */
    int iterations;      /**< limit; 0: 15 (ssdr: 240), or none with a time limit; -1: only the first model */
    double time_limit_s; /**< seconds after which iterating ends; 0: no limit */
    int holdout;         /**< hold every K-th frame out of the fit of weights and rest pose; 0: none */
    uint64_t seed;       /**< seed of every random choice; 0: 1 */
    const char *const *settings; /**< [setting_count] "name=value" of the method's parameters */
    int setting_count;           /**< how many */
    int threads;                 /**< 0: as many as the process may use */
    int keep_stopped;            /**< 1: a fit stopped by the progress function returns its best model and
                                    ends as "stopped" */
    const SkinbenchProgress *progress; /**< may be NULL */
} SkinbenchFitOptions;

/** Result of a fit. */
typedef struct SkinbenchFitReport {
    int bones;      /**< delivered */
    int iterations; /**< made */
    /** "complete", "iteration-cap", "time-limit", "after-time-limit" (the first model alone took longer),
     * "exact" or "stopped"; a static text */
    const char *end;
    double e_rms;        /**< E_RMS of the model, measured on the fitted frames */
    double kg_percent;   /**< KG error on the fitted frames; NAN for an animation without motion */
    double total_s;      /**< seconds taken by the fit, or by all fits of a search */
    size_t size_bytes;   /**< size of the model in a player, 4 bytes per number */
    double *errors;      /**< [iterations + 1] E_RMS before the first iteration and after each, as the method
                            reports it */
    double *elapsed_s;   /**< [iterations + 1] seconds elapsed at each entry of `errors` */
    char notes[1024];    /**< mismatches between rest pose and frames, one per line, or "" */
    char diagnosis[512]; /**< why a fit with an E_RMS above 1 or a KG error above 5 % is poor, else "" */
} SkinbenchFitReport;

/** Fits a rig with its rest pose, or a low-rank model, to the positions of a data set. *model has no
 * positions; release it with skinbench_dataset_free. report may be NULL; clear it with
 * skinbench_fit_report_clear. SKINBENCH_CHECK_FAILED: no number of bones reaches options->error. */
SKINBENCH_API SkinbenchStatus skinbench_fit(const SkinbenchDataset *animation,
                                            const SkinbenchFitOptions *options, SkinbenchDataset **model,
                                            SkinbenchFitReport *report);

/** Releases the memory that a report points to. */
SKINBENCH_API void skinbench_fit_report_clear(SkinbenchFitReport *report);

/** @} */

/** @name Measuring
 * E_RMS and KG error (FESAM section 5), distances, normals, volume and edges, in double. @{ */

/** Measures how far a candidate is from a target, which must have stored positions. The candidate's
 * frames are its positions, else its rig by linear blending, else its low-rank model. values
 * [value_count] gets the first value_count of SKINBENCH_METRICS, NAN for a metric that does not exist.
 * distances [F][N], which may be NULL, gets the distance of every vertex in every frame, in the target's
 * vertex order. */
SKINBENCH_API SkinbenchStatus skinbench_measure(const SkinbenchDataset *target,
                                                const SkinbenchDataset *candidate, int threads,
                                                double *values, int value_count, float *distances);

/** Compares a predicted rig with a true one. settings [setting_count] are "name=value" of the parameters of
 * any of SKINBENCH_SCORES, such as "variant=rignet". values [value_count] gets the first value_count of
 * SKINBENCH_SCORES, NAN for a number that does not exist. SKINBENCH_BAD_INPUT: one of the rigs cannot be
 * compared, because it has no bones, for example. */
SKINBENCH_API SkinbenchStatus skinbench_score(const SkinbenchDataset *predicted,
                                              const SkinbenchDataset *truth, const char *const *settings,
                                              int setting_count, double *values, int value_count);

/** Measures positions [frame_count][N][3] against a target. See skinbench_measure for values and distances.
 */
SKINBENCH_API SkinbenchStatus skinbench_measure_positions(const SkinbenchDataset *target,
                                                          const float *positions, int frame_count,
                                                          int threads, double *values, int value_count,
                                                          float *distances);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
