/* Centres of rotation of joint sets (SBS section 4). The centre of a set in a frame is the point on which
 * its joints agree best,
 *
 *   r = argmin sum over pairs a < b of |C_a r - C_b r|^2,
 *
 * and of all such points the one nearest to the origin (minimum norm). The equations of all pairs together
 * are D r = e.
 *
 * A centre depends on the set, not on the order in which a vertex lists its joints. Sets with the same
 * joints are solved once.
 *
 * Trivial sets need no equations: a single joint (any centre is valid, the origin is used), and two joints
 * of which one is the parent of the other (the centre is the rest position of the joint that they
 * share). */
#pragma once

#include "methods/runtime/skinning_method.h"

/* Method that solves the equations, in the order of the parameter `centers`. */
typedef enum SetCentersSolver {
    SET_CENTERS_FAST, /* 3x3 normal equations, with the SVD only if their rank is uncertain */
    SET_CENTERS_SVD   /* the SVD (dgelss) for every nontrivial set, as in the paper */
} SetCentersSolver;

typedef struct SetCentersOptions {
    SetCentersSolver solver;
    /* Singular values of D up to this share of the largest count as zero (dgelss's rcond). */
    double cut_off;
    /* If all rotations of a set's joints differ by less than this angle, it has no centre and the origin is
     * used. */
    double least_angle_rad;
} SetCentersOptions;

/* Rows for a method's parameters and the options that they set. The three rows must be consecutive. */
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

/* Finds data that do not change between frames: which sets are trivial, and the pairs of joints of the
 * remaining sets. Without rest frames no two joints count as neighbours. Release with set_centers_free,
 * which accepts NULL. */
Status set_centers_bind(const SkinningBinding *binding, SetCenters **out);
void set_centers_free(SetCenters *centers);
DEFINE_OWNED_BY(SetCenters, set_centers_free)

/* Returns the number of nontrivial sets; sets with the same joints count once. It equals the number of SVDs
 * that the paper's algorithm runs per frame. */
int set_centers_nontrivial(const SetCenters *centers);

/* Returns the size in bytes of the workspace of set_centers_find. */
size_t set_centers_workspace(const SetCenters *centers);

/* Computes the centres of frame_count (1 or POSE_FRAMES) frames: transforms [frame_count][P] and the
 * joints' rest frames rest [P] (or NULL) give out [S][3][frame_count]. The workspace of
 * set_centers_workspace bytes may have any content but must be aligned like memory_array. *svd_count,
 * unless NULL, is the number of SVDs run. Threads may call this with a workspace each. */
Status set_centers_find(const SetCenters *centers, const SetCentersOptions *options,
                        const Transform *transforms, int frame_count, const Transform *rest, void *workspace,
                        double *out, int *svd_count);
