/* Centres of rotation of joint sets (SBS section 4). The centre of a set in a frame is the point on which
 * its joints agree best:
 *   r = argmin sum over pairs a < b of |C_a r - C_b r|^2
 * If there are several such points, the centre is the one nearest to the origin (minimum norm). The
 * equations of all pairs together are D r = e.
 *
 * A centre depends on the set, not on the order in which a vertex lists its joints. Sets with the same
 * joints are solved once.
 *
 * Trivial sets need no equations. For a single joint any centre is valid, and the origin is used. For two
 * joints, one of which is the parent of the other, the centre is the rest position of the joint that they
 * share. */
#pragma once

#include "methods/runtime/skinning_method.h"

/* Method that solves the equations, in the order of the parameter `centers`. */
typedef enum SetCentersSolver {
    SET_CENTERS_FAST, /* 3x3 normal equations; the SVD is used only if their rank is uncertain */
    SET_CENTERS_SVD   /* the SVD (dgelss) for every nontrivial set, as in the paper */
} SetCentersSolver;

typedef struct SetCentersOptions {
    SetCentersSolver solver;
    /* Singular values of D up to this fraction of the largest count as zero (dgelss's rcond). */
    double cut_off;
    /* If all rotations of a set's joints differ by less than this angle, it has no centre and the origin is
     * used. */
    double least_angle_rad;
} SetCentersOptions;

/* Table rows for a method's parameters, and the options that they set. The three rows must be
 * consecutive. */
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

/* Finds the data that do not change between frames: which sets are trivial, and the pairs of joints of all
 * other sets. Without rest frames, no two joints count as parent and child. Release with set_centers_free,
 * which accepts NULL. */
Status set_centers_bind(const SkinningBinding *binding, SetCenters **out);
void set_centers_free(SetCenters *centers);
DEFINE_OWNED_BY(SetCenters, set_centers_free)

/* Returns the number of nontrivial sets; sets with the same joints count once. It equals the number of SVDs
 * that the paper's algorithm runs per frame. */
int set_centers_nontrivial(const SetCenters *centers);

/* Returns the size in bytes of the workspace of set_centers_find. */
size_t set_centers_workspace(const SetCenters *centers);

/* Computes the centres out [S][3][frame_count] of 1 or POSE_FRAMES frames from transforms [frame_count][P]
 * and the joints' rest frames rest [P] (or NULL). The workspace of set_centers_workspace bytes may have any
 * content but must be aligned like memory_array. *svd_count, unless NULL, receives the number of SVDs run.
 * Several threads may call this, each with its own workspace. */
Status set_centers_find(const SetCenters *centers, const SetCentersOptions *options,
                        const Transform *transforms, int frame_count, const Transform *rest, void *workspace,
                        double *out, int *svd_count);
