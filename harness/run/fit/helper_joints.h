/* Helper joints (after Mukai and Kuriyama 2016): H joints added to a rig so that plain linear blending
 * imitates a more expensive method. Their transformations are small polynomials of a joint's rotation. Each
 * helper h lies between two joints p and j, usually a joint and its parent, and moves with p:
 *   C_h = C_p M(r)
 *   r    = logarithm of the rotation of C_p^-1 C_j, 3 numbers, 0 at rest
 *   M(r) = rotation exp(A f(r)) about the helper's center c, then a translation by B f(r)
 *   f(r) = r and, if quadratic, its 6 products
 * N vertices, P joints, T poses. */
#pragma once

#include "methods/runtime/skinning_entry.h"

enum { HELPER_FEATURES = 9, HELPERS_MAX = 64 };

typedef struct HelperOptions {
    const SkinningEntry *target; /* method whose shapes lbs should imitate; not used if shapes are given */
    const float
        *shapes; /* [F][N][3] shapes to imitate in the rig's frames; NULL: imitate the target method */
    int helpers; /* number of helpers, at most HELPERS_MAX */
    int poses;   /* number of poses to fit; the errors are also measured in as many further poses */
    bool quadratic;
    uint64_t seed;
    int threads;
    const Progress *progress; /* may be NULL */
} HelperOptions;

typedef struct HelperModel {
    int parent, joint; /* joints p and j of the formulas above */
    Vec3 center;       /* center c of the formulas above, at rest */
    int vertices;      /* number of vertices with a weight for the helper */
    double turn[3][HELPER_FEATURES],
        move[3]
            [HELPER_FEATURES]; /* matrix A, halved because it gives half the rotation angle, and matrix B */
} HelperModel;

/* Root mean square distances from the target, in units of the file. */
typedef struct HelperErrors {
    double before, after; /* errors of lbs with the original rig and with the helpers */
} HelperErrors;

typedef struct HelperFit {
    Rig rig; /* the rig with its frames; helpers follow the original joints */
    int count;
    HelperModel models[HELPERS_MAX];
    /* Errors on three sets of poses:
     *   fitted  every second frame of the file, and random poses
     *   held    other random poses
     *   own     the other frames of the file */
    HelperErrors fitted, held, own;
} HelperFit;

/* Fits helpers. Poses are sampled within the range of the file: each joint takes its rotation relative to
 * its parent from a random frame. STATUS_BAD_INPUT for a rig without frames or a rig that the target method
 * refuses. Release out->rig with rig_clear. */
Status helper_joints_fit(const Mesh *mesh, const Rig *rig, const HelperOptions *options, HelperFit *out);

/* Computes the transformations of `count` helpers in a pose, from those of the original joints. They are
 * stored at index `joints` and after. */
void helper_joints_pose(const HelperModel *models, int count, int joints, Transform *pose);
