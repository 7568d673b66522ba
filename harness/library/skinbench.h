/** @file
 * skinbench as a library: data sets, direct skinning, decomposition into rigs, and how far one animation is
 * from another. C11 and C++. Link with -lskinbench (`pkg-config --cflags --libs skinbench`, or the CMake
 * target skinbench::skinbench).
 *
 * Letters in shapes: N vertices, T triangles, F frames, P joints, K influence slots per vertex, r rank.
 * Arrays are dense, row by row; a matrix [3][4] is a linear part and a translation in its last column.
 * Lengths are in the data set's own unit.
 *
 * Failures: a function that can fail returns a SkinbenchStatus, with one line of text that says where and
 * what. It then leaves handles that it should have made NULL, and nothing to release. NULL in place of what
 * must be given is SKINBENCH_USAGE, but for the place of a result (`out`, `model`), which is relied on.
 * Nothing is printed, and nothing from outside (a file, an argument, memory that is out) ends the process.
 *
 * Ownership: what a function hands out is the caller's and has a function that releases it, which takes NULL,
 * too. What a function is given is copied or only read, unless it says that it keeps it.
 *
 * Threads: different handles may be used by different threads at once, and a data set by any number of them,
 * as none of these functions changes one. A skinner belongs to one thread at a time. `threads` arguments
 * bound the OpenMP threads of a call; 0 is as many as the process may use by its affinity, the quota of its
 * control group and OMP_NUM_THREADS. Results do not depend on them. OpenMP may let threads that wait spin;
 * where OMP_WAIT_POLICY=passive is set they sleep.
 *
 * Files are read and written by child processes, as they may be hostile: a program must not reap all its
 * children by wait(), and no other of its threads may be inside of HDF5 meanwhile.
 *
 * Memory: arrays are aligned to 64 bytes, sizes are checked before anything is allocated, and
 * skinbench_memory_limit bounds what all of them together may hold. */
#ifndef SKINBENCH_H
#define SKINBENCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Marks what the library exports. */
#define SKINBENCH_API __attribute__((visibility("default")))

/** How a call ended; the same numbers as the exit codes of the program. */
typedef enum SkinbenchCode {
    SKINBENCH_OK = 0,
    SKINBENCH_CHECK_FAILED =
        1,                     /**< a method's result is not finite, or no number of bones reaches an error */
    SKINBENCH_USAGE = 2,       /**< the caller's arguments make no sense */
    SKINBENCH_BAD_INPUT = 3,   /**< a file or its values are damaged or impossible */
    SKINBENCH_UNAVAILABLE = 4, /**< a device or library is missing */
    SKINBENCH_MACHINE = 5,     /**< memory, disk or another service of the system gave out */
    SKINBENCH_STOPPED = 130    /**< the progress function asked to stop */
} SkinbenchCode;

enum {
    SKINBENCH_TEXT_BYTES = 512,   /**< of a status */
    SKINBENCH_DEFAULT_BYTES = 64, /**< of the default of a parameter */
    SKINBENCH_RANGE_BYTES = 256   /**< of what a parameter takes */
};

/** What a function that can fail returns. */
typedef struct SkinbenchStatus {
    SkinbenchCode code;              /**< SKINBENCH_OK when all went well */
    char text[SKINBENCH_TEXT_BYTES]; /**< one line, printable; empty when all went well */
} SkinbenchStatus;

/** How long work reports how far it is, and is asked to stop. */
typedef struct SkinbenchProgress {
    /** Called by the thread that called the library, with what is done and which share of it, 0 to 1; with a
     * NULL `what` it is only asked whether to stop. Anything but 0 asks for a stop: the call then returns
     * SKINBENCH_STOPPED. */
    int (*report)(void *context, const char *what, double share);
    void *context; /**< handed to report */
} SkinbenchProgress;

/** The version, "0.1.0". Static. */
SKINBENCH_API const char *skinbench_version(void);

/** Bounds what the library's arrays may hold together, in bytes; 0 (the default): the machine's memory. A
 * setting of the process; what would be beyond it fails with SKINBENCH_MACHINE. Messages call it
 * --memory-limit, as the program does. */
SKINBENCH_API void skinbench_memory_limit(size_t bytes);

/** Bytes that the library's arrays hold now. */
SKINBENCH_API size_t skinbench_memory_live(void);

/** @name What there is
 * Methods, generators, backends and metrics, with their parameters. All texts are static. @{ */

/** What can be listed. */
typedef enum SkinbenchKind {
    SKINBENCH_SKINNING_METHODS,      /**< for skinbench_skinner_create */
    SKINBENCH_DECOMPOSITION_METHODS, /**< for skinbench_fit */
    SKINBENCH_GENERATORS,            /**< for skinbench_dataset_generate */
    SKINBENCH_BACKENDS,              /**< what runs a direct method */
    SKINBENCH_METRICS                /**< what skinbench_measure gives, in this order */
} SkinbenchKind;

/** One of them. */
typedef struct SkinbenchEntry {
    const char *name;    /**< as it is asked for: "lbs" */
    const char *title;   /**< for people */
    const char *detail;  /**< of a method its paper, of a metric its unit, else empty */
    int parameter_count; /**< settings that it takes */
} SkinbenchEntry;

/** What a setting "name=value" of a method or generator may be. */
typedef struct SkinbenchParameter {
    const char *name;    /**< before the = */
    const char *meaning; /**< one line */
    const char *type;    /**< "real", "integer", "flag", "choice" or "preset" (of other parameters) */
    char default_text[SKINBENCH_DEFAULT_BYTES]; /**< its value where nothing is set */
    char range[SKINBENCH_RANGE_BYTES];          /**< "0 to 1", "yes or no", or its words with commas */
} SkinbenchParameter;

/** How many there are of a kind. */
SKINBENCH_API int skinbench_count(SkinbenchKind kind);

/** Number `index` of a kind, from 0. 1: *out is filled; 0: there is none. */
SKINBENCH_API int skinbench_entry(SkinbenchKind kind, int index, SkinbenchEntry *out);

/** Which one of a kind has the name; -1: none. */
SKINBENCH_API int skinbench_index(SkinbenchKind kind, const char *name);

/** Parameter number `parameter` of number `index` of a kind. 1: *out is filled; 0: there is none. */
SKINBENCH_API int skinbench_parameter(SkinbenchKind kind, int index, int parameter, SkinbenchParameter *out);

/** Whether a backend can run here: SKINBENCH_UNAVAILABLE with what is lacking, SKINBENCH_USAGE where there is
 * none of the name. */
SKINBENCH_API SkinbenchStatus skinbench_backend_check(const char *backend);

/** @} */

/** @name Data sets
 * A mesh, and where they are there an animation of it, a rig, a low-rank model. @{ */

/** A data set in memory. */
typedef struct SkinbenchDataset SkinbenchDataset;

/** The arrays of a data set. A part that is not there has count 0 and NULL. */
typedef struct SkinbenchArrays {
    const char *name;                 /**< short, UTF-8; NULL given is empty, here and below */
    const char *title;                /**< what it shows, in a line */
    const char *source;               /**< where it comes from */
    const char *license;              /**< under which licence */
    double fps;                       /**< frames per second; 0: not known */
    int vertex_count;                 /**< N */
    int triangle_count;               /**< T */
    int frame_count;                  /**< F of positions and normals */
    int joint_count;                  /**< P */
    int pose_count;                   /**< F of transforms and scale */
    int influence_count;              /**< K */
    int rank;                         /**< r of the low-rank model */
    int model_frame_count;            /**< F of the low-rank model */
    const float *rest;                /**< [N][3] rest pose */
    const int32_t *triangles;         /**< [T][3] vertex numbers, counter-clockwise seen from outside */
    const int32_t *original_vertices; /**< [N] which vertex of the original each one is, where the order is
                                       * another; NULL: the original order */
    const float *positions;           /**< [F][N][3] the animation */
    const float *normals;             /**< [F][N][3] of length 1; NULL: none */
    const char *const *joint_names;   /**< [P] NULL given: bone_0, bone_1, ... */
    const int32_t *parents;           /**< [P] -1 for a root, before its children; NULL given: roots all */
    const double *joint_rest;         /**< [P][3][4] A_j, absolute rest frames; NULL given: identity */
    const double *transforms;         /**< [F][P][3][4] C_j = F_j inv(A_j): rest-pose point to posed point */
    const double *scale;              /**< [F][P][3][3] local scale of two-phase skinning; NULL: none */
    const int32_t *weight_joints;     /**< [N][K] unused slots: joint 0, weight 0 */
    const float *weights;             /**< [N][K] rows sum to 1 */
    const float *centers;             /**< [N][3] centres of rotation (cor); NULL: not computed */
    const double *basis;              /**< [3F][r] of the low-rank model, frame by frame, x y z */
    const float *coefficients;        /**< [r][N]; basis times coefficients are the positions or, beside a
                                       * rig, what is added to the rest pose in each frame */
} SkinbenchArrays;

/** Reads a data set file. SKINBENCH_BAD_INPUT names file, place and value, and which import makes a data set
 * of a file of another format. Release with skinbench_dataset_free. */
SKINBENCH_API SkinbenchStatus skinbench_dataset_read(const char *path, SkinbenchDataset **out);

/** Writes a data set file, which replaces in one step what has the name. */
SKINBENCH_API SkinbenchStatus skinbench_dataset_write(const SkinbenchDataset *dataset, const char *path);

/** Copies arrays into a data set. SKINBENCH_USAGE for counts and arrays that do not go together,
 * SKINBENCH_BAD_INPUT for values that no file may hold either: numbers out of range or not finite, weights
 * without a positive sum. */
SKINBENCH_API SkinbenchStatus skinbench_dataset_create(const SkinbenchArrays *arrays, SkinbenchDataset **out);

/** Makes a procedural data set. settings [setting_count] of the form "name=value"; progress may be NULL. */
SKINBENCH_API SkinbenchStatus skinbench_dataset_generate(const char *generator, const char *const *settings,
                                                         int setting_count, const SkinbenchProgress *progress,
                                                         SkinbenchDataset **out);

/** Turns a file, folder, pattern or archive of another format, which its content shows, into a data set file.
 * rest: the file with the rest pose and faces, for formats without one; NULL. progress may be NULL. */
SKINBENCH_API SkinbenchStatus skinbench_import(const char *input, const char *rest,
                                               const SkinbenchProgress *progress, const char *output);

/** The data set's own arrays, not copies: valid until it is released. */
SKINBENCH_API SkinbenchArrays skinbench_dataset_arrays(const SkinbenchDataset *dataset);

/** Releases a data set. */
SKINBENCH_API void skinbench_dataset_free(SkinbenchDataset *dataset);

/** @} */

/** @name Direct skinning
 * A method is bound to a rig once and then skins frame after frame, those of the rig or the caller's. @{ */

/** A direct method, bound to the rig of a data set on a backend. */
typedef struct SkinbenchSkinner SkinbenchSkinner;

/** How to skin; what is 0 or NULL is the default. */
typedef struct SkinbenchSkinOptions {
    const char *method;          /**< of SKINBENCH_SKINNING_METHODS; must be given */
    const char *backend;         /**< of SKINBENCH_BACKENDS; NULL: "simd" */
    const char *const *settings; /**< [setting_count] "name=value" of the method's parameters */
    int setting_count;           /**< how many */
    int threads;                 /**< 0: as many as the process may use */
    int normals;                 /**< 1: skin normals, too */
    int two_phase; /**< 1: apply scale first, by linear blending, then skin; without it a rig with scale is
                      refused */
} SkinbenchSkinOptions;

/** Binds a method: once per rig. Keeps the data set, which must outlive the skinner. SKINBENCH_BAD_INPUT for
 * a rig that the method cannot take, SKINBENCH_UNAVAILABLE for a backend that is not here. Release with
 * skinbench_skinner_free. */
SKINBENCH_API SkinbenchStatus skinbench_skinner_create(const SkinbenchDataset *dataset,
                                                       const SkinbenchSkinOptions *options,
                                                       SkinbenchSkinner **out);

/** Skins frames `first` to first + count - 1 of the rig's own transforms into positions [count][N][3], in the
 * order of the file's vertices, and normals likewise (NULL: not wanted; else the skinner must have been made
 * for them). */
SKINBENCH_API SkinbenchStatus skinbench_skin_frames(SkinbenchSkinner *skinner, int first, int count,
                                                    float *positions, float *normals);

/** The same for poses of the caller's: transforms [count][P][3][4], from rest-pose points to posed points;
 * scale [count][P][3][3] or NULL. */
SKINBENCH_API SkinbenchStatus skinbench_skin_poses(SkinbenchSkinner *skinner, const double *transforms,
                                                   const double *scale, int count, float *positions,
                                                   float *normals);

/** Releases a skinner. */
SKINBENCH_API void skinbench_skinner_free(SkinbenchSkinner *skinner);

/** @} */

/** @name Decomposition
 * The rig, or low-rank model, that reproduces an animated mesh best. @{ */

/** What to fit; what is 0 or NULL is the default. */
typedef struct SkinbenchFitOptions {
    const char *method; /**< of SKINBENCH_DECOMPOSITION_METHODS; must be given */
    int bones;      /**< P asked for, at least 1; with an error to reach at most this many (default 128) */
    double error;   /**< find the fewest bones that reach this E_RMS; 0: fit `bones` */
    int influences; /**< K, 1 to 32; 0: 4 */
    int iterations; /**< sweeps at most; 0: 15, or no bound with a time limit; -1: none, the model before the
                       first */
    double time_limit_s; /**< sweep until then; 0: no limit */
    int holdout;         /**< keep every so many-th frame out of the fit of weights and rest pose; 0: none */
    uint64_t seed;       /**< of every random choice; 0: 1 */
    const char *const *settings; /**< [setting_count] "name=value" of the method's parameters */
    int setting_count;           /**< how many */
    int threads;                 /**< 0: as many as the process may use */
    int keep_stopped; /**< 1: what the progress function stops keeps its best model; then it is no failure,
                         and ends as "stopped" */
    const SkinbenchProgress *progress; /**< may be NULL */
} SkinbenchFitOptions;

/** What came of a fit. */
typedef struct SkinbenchFitReport {
    int bones;      /**< delivered */
    int iterations; /**< made */
    /** "complete", "iteration-cap", "time-limit", "after-time-limit" (the first model alone took longer),
     * "exact", "stopped";
     *  static */
    const char *end;
    double e_rms;      /**< of the model, measured on the fitted frames */
    double kg_percent; /**< likewise; NAN for an animation that does not move */
    double total_s;    /**< seconds that the fit, or all fits of a search, took */
    size_t size_bytes; /**< what a player holds of the model, 4 bytes a number */
    double *errors; /**< [iterations + 1] E_RMS before the first iteration and after each, by the method's own
                       account */
    double *elapsed_s; /**< [iterations + 1] seconds until then */
} SkinbenchFitReport;

/** Fits a model to the positions of a data set: a rig with its rest pose, or a low-rank model. *model is a
 * data set without positions, to be skinned, measured or written; release it with skinbench_dataset_free.
 * report may be NULL; clear it with skinbench_fit_report_clear. SKINBENCH_CHECK_FAILED when no number of
 * bones reaches options->error. */
SKINBENCH_API SkinbenchStatus skinbench_fit(const SkinbenchDataset *animation,
                                            const SkinbenchFitOptions *options, SkinbenchDataset **model,
                                            SkinbenchFitReport *report);

/** Releases what a report points to. */
SKINBENCH_API void skinbench_fit_report_clear(SkinbenchFitReport *report);

/** @} */

/** @name Measuring
 * E_RMS and KG error (FESAM section 5), distances, normals, volume and edges, in double. @{ */

/** How far a candidate is from a target with stored positions. The candidate's frames are its stored
 * positions, else what its rig makes of its rest pose by linear blending, else its low-rank model. values
 * [value_count] gets the first value_count of SKINBENCH_METRICS, NAN where one does not exist; distances
 * [F][N], or NULL, that of every vertex in every frame, in the target's order: a candidate whose
 * original_vertices are others is brought into it. */
SKINBENCH_API SkinbenchStatus skinbench_measure(const SkinbenchDataset *target,
                                                const SkinbenchDataset *candidate, int threads,
                                                double *values, int value_count, float *distances);

/** The same for positions [frame_count][N][3] of the caller's. */
SKINBENCH_API SkinbenchStatus skinbench_measure_positions(const SkinbenchDataset *target,
                                                          const float *positions, int frame_count,
                                                          int threads, double *values, int value_count,
                                                          float *distances);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
