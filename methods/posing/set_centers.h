/* Centres of rotation of joint sets (SBS section 4): for each set and frame the point on which its joints
 * agree best,
 *   r = argmin sum over pairs a < b of |C_a r - C_b r|^2,
 * of all such points the one nearest to the origin (minimum norm). Stacked, these are the equations D r = e.
 *
 * A centre belongs to the set, not to the order in which a vertex lists its joints: sets of the same joints
 * are solved once.
 *
 * Trivial sets need no equations: one joint (any centre will do: the origin is taken), and two joints of
 * which one is the other's parent (the joint they share, in the rest pose). */
#pragma once

#include "methods/runtime/skinning_method.h"

/* How the equations are solved, in the order of the parameter `centers`. */
typedef enum SetCentersSolver {
    SET_CENTERS_FAST, /* 3 x 3 normal equations, the SVD only where their rank is in doubt */
    SET_CENTERS_SVD   /* the SVD (dgelss) for every set that is not trivial, as in the paper */
} SetCentersSolver;

typedef struct SetCentersOptions {
    SetCentersSolver solver;
    /* Singular values of D up to this share of the greatest count as zero (dgelss' rcond). */
    double cut_off;
    /* Below this angle between any two of its joints' rotations a set has no centre; the origin is taken. */
    double least_angle_rad;
} SetCentersOptions;

/* Rows for a method's parameters, and the options they stand for; the three follow each other. */
extern const char *const set_centers_choices[];
#define SET_CENTERS_SOLVER_PARAMETER                                                                         \
    {                                                                                                        \
        .name = "centers",                                                                                   \
        .meaning = "how centres of rotation are computed: fast uses the SVD only where necessary",           \
        .type = PARAMETER_CHOICE, .default_value = SET_CENTERS_FAST, .choices = set_centers_choices          \
    }
#define SET_CENTERS_CUT_OFF_PARAMETER                                                                        \
    {                                                                                                        \
        .name = "cutoff", .meaning = "singular values up to this share of the largest count as zero",        \
        .type = PARAMETER_REAL, .default_value = 1e-4, .minimum = 0.0, .maximum = 0.5                        \
    }
#define SET_CENTERS_LEAST_ANGLE_PARAMETER                                                                    \
    {                                                                                                        \
        .name = "least-angle",                                                                               \
        .meaning = "angle between its joints, in radians, below which a set has no centre",                  \
        .type = PARAMETER_REAL, .default_value = 1e-3, .minimum = 0.0, .maximum = 0.1                        \
    }
enum { SET_CENTERS_PARAMETER_COUNT = 3 };
SetCentersOptions set_centers_options(const double parameters[SET_CENTERS_PARAMETER_COUNT]);

typedef struct SetCenters SetCenters;

/* What does not change from frame to frame: which sets are trivial, and the pairs of joints of the others. A
 * rig without rest frames has no neighbours. Release with set_centers_free (NULL is allowed). */
Status set_centers_bind(const SkinningBinding *binding, SetCenters **out);
void set_centers_free(SetCenters *centers);
DEFINE_OWNED_BY(SetCenters, set_centers_free)

/* Sets that are not trivial, each once in whatever orders its joints are listed: the SVDs that the paper's
 * algorithm runs for each frame. */
int set_centers_nontrivial(const SetCenters *centers);

/* Bytes that set_centers_find works in. */
size_t set_centers_workspace(const SetCenters *centers);

/* The centres of frame_count frames, 1 or POSE_FRAMES, to out [S][3][frame_count]: transforms
 * [frame_count][P]; rest [P] are the joints' rest frames (NULL: none). `workspace`: set_centers_workspace
 * bytes of any content, aligned like memory_array. *svd_count (NULL is allowed): the SVDs that were run. May
 * be called from several threads, each with its workspace. */
Status set_centers_find(const SetCenters *centers, const SetCentersOptions *options,
                        const Transform *transforms, int frame_count, const Transform *rest, void *workspace,
                        double *out, int *svd_count);
