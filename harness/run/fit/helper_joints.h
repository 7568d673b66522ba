/* Helper joints (after Mukai and Kuriyama 2016): H joints beside those of a rig, whose transformations are
 * small polynomials of a joint's rotation, and weights for them, so that plain linear blending imitates a
 * method that costs more. Each helper h stands between two joints p and j,
 * most often a joint and its parent, and moves with p: C_h = C_p M(r) r =
 * the logarithm of the rotation of C_p^-1 C_j, 3 numbers, 0 at rest M(r) = the rotation exp(A f(r)) about the
 * helper's place c, moved by B f(r) f(r) = r and, if quadratic, its 6 products N vertices, P joints, T poses.
 */
#pragma once

#include "methods/runtime/skinning_entry.h"

enum { HELPER_FEATURES = 9, HELPERS_MAX = 64 };

typedef struct HelperOptions {
    const SkinningEntry *target; /* whose shapes lbs is to have; not read with shapes */
    const float *shapes;         /* [F][N][3] that it is to have in the rig's frames; NULL: the target's */
    int helpers;                 /* at most HELPERS_MAX */
    int poses;                   /* that it is fitted to, and as many held out */
    bool quadratic;
    uint64_t seed;
    int threads;
    const Progress *progress; /* may be NULL */
} HelperOptions;

typedef struct HelperModel {
    int parent, joint;                                         /* p and j */
    Vec3 center;                                               /* c, at rest */
    int vertices;                                              /* that have a weight for it */
    double turn[3][HELPER_FEATURES], move[3][HELPER_FEATURES]; /* A, of half the angle; B */
} HelperModel;

/* Root mean square distances from the target, in the units of the file. */
typedef struct HelperErrors {
    double before, after; /* by lbs of the rig, and of the rig with helpers */
} HelperErrors;

typedef struct HelperFit {
    Rig rig; /* the helpers after the rig's joints, with its frames */
    int count;
    HelperModel models[HELPERS_MAX];
    /* Poses fitted to: every second frame of the file, and samples; other samples; and the file's other
     * frames. */
    HelperErrors fitted, held, own;
} HelperFit;

/* Poses are sampled within what the joints do in the file: each joint takes its turn against its parent from
 * a frame of its own. STATUS_BAD_INPUT for a rig without frames, and for one that the target refuses. Release
 * with rig_clear of its rig. */
Status helper_joints_fit(const Mesh *mesh, const Rig *rig, const HelperOptions *options, HelperFit *out);

/* Sets transformations joints to joints + count - 1 of a pose from those before them, the rig's own. */
void helper_joints_pose(const HelperModel *models, int count, int joints, Transform *pose);
