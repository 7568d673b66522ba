/* Finds out how an engine skinned: compares its positions with those of every direct method in its
 * variants. */
#pragma once

#include "datasets/model/dataset.h"
#include "methods/registry.h"
#include "methods/runtime/skinner.h"

/* Distance that counts as agreement, as a share of the diagonal. Engines compute in single precision, with
 * palettes in single precision. */
#define IDENTIFY_TOLERANCE 1e-5

/* A way to skin, and how far its positions are from the engine's. */
typedef struct IdentifyVariant {
    const SkinningEntry *entry;
    ParameterValues parameters; /* defaults, except for the hemisphere policy */
    int hemisphere_row;         /* row of the hemisphere policy; -1 if the method has none */
    bool two_phase;
    bool by_joint;   /* influences are sorted by joint, which matters to hemisphere policies that begin with
                        the first one */
    int influences;  /* largest weights kept, scaled to sum 1; 0: all */
    int bits;        /* bits of a weight; 0: as in the file */
    double max, rms; /* distances as shares of the diagonal; max is INFINITY if the method refused the rig */
    int64_t apart;   /* number of positions beyond the tolerance */
    int frame, vertex; /* first frame, and the first vertex in it, beyond the tolerance; -1: none */
} IdentifyVariant;

typedef struct IdentifyTask {
    const Dataset *rig;     /* with frames; in file order */
    const float *positions; /* [F][N][3] */
    const float *normals;   /* [F][N][3] or NULL */
    int threads;
    const Progress *progress;
} IdentifyTask;

enum { IDENTIFY_VARIANTS_MAX = 256, IDENTIFY_LOOKS_BYTES = 256 };

typedef struct Identification {
    IdentifyVariant
        variants[IDENTIFY_VARIANTS_MAX]; /* [count] all that were compared, the nearest first: fewest
                                                        positions apart, then by rms; of equals, the method
                                                        that most engines have */
    int count, matches;                  /* matches: how many are within the tolerance */
    int frames_compared;
    double tolerance; /* share of the diagonal */
    int departing; /* variant whose first departure is described. It is one whose difference can be named, or
                      else the nearest. -1 if a variant matches. */
    int joint;     /* heaviest joint of the vertex at which this variant departs; -1: none */
    char looks[IDENTIFY_LOOKS_BYTES]; /* what the difference looks like; "" if it is not known */
    double normal_max_degrees;        /* of the nearest variant; NAN without normals */
    char normal_looks[IDENTIFY_LOOKS_BYTES];
} Identification;

/* Compares positions with all methods. At most about 500,000 positions are compared, in evenly spaced frames.
 * The result is large, so allocate it. */
Status identify_run(const IdentifyTask *task, Identification *out);

/* Describes a variant: "dqs hemisphere=first, 4 influences, weights of 8 bits". */
void identify_variant_format(const IdentifyVariant *variant, char *text, size_t size);

/* Makes variant number `number` of a method with one phase and all weights as they are: its hemisphere
 * policies, each in the orders of influences that matter to it. Returns false past the last. */
bool identify_variant_make(const SkinningEntry *entry, int number, IdentifyVariant *out);

/* Binds a variant to the rig of a data set, in double precision. It skins normals if `normals` is set and
 * there are triangles. *changed must be zeroed. If the variant changes weights, *changed receives the changed
 * rig, to which *out refers: release *out first, then *changed with identify_rig_clear. */
Status identify_bind(const IdentifyVariant *variant, const Dataset *dataset, bool normals, int threads,
                     Rig *changed, Skinner **out);
void identify_rig_clear(Rig *changed);
