/* A pack of small glTF files with the positions and normals that an engine should compute from them, and the
 * judgement of an engine's results. */
#pragma once

#include "datasets/formats/format_task.h"
#include "harness/run/identify/identify.h"

/* Number of the pack. It is raised whenever a byte of any file changes. */
enum { CONFORMANCE_VERSION = 2 };

/* A case: a tube of length `joints` along the y axis, over a chain of as many bones of length 1. The motion
 * grows linearly over the frames. */
typedef struct ConformanceCase {
    const char *name, *trait; /* the trait is a sentence without its period */
    double turn;            /* degrees by which each joint turns relative to its parent in the last frame; the
                                 first joint turns only if it is the only one */
    bool twist;             /* turns are about the bone instead of the z axis */
    int joints, influences; /* 0: 2 */
    Vec3 scale;             /* of joint `scaled` in the last frame; all zero: none */
    int scaled;
    double slide;      /* distance along x that the chain moves */
    double place;      /* x coordinate of the chain in the rest pose */
    double size;       /* factor for all lengths; 0: 1 */
    int weight_bits;   /* 8 or 16: weights are integers; 0: they are floats */
    double weight_sum; /* of each vertex; 0: 1; -1: 0.5, 1 and 1.5 in turn */
    unsigned oddities; /* bits; conformance_case.c lists them */
    bool linear_only;  /* the result of dual quaternions is not defined */
    bool no_normals;   /* normals are not defined */
} ConformanceCase;

enum { CONFORMANCE_FRAMES = 4 };

int conformance_case_count(void);
const ConformanceCase *conformance_case_at(int index);

/* Writes the glTF file of a case. Its clip has keys at 0, 1, 2 and 3 seconds, which are the frames. */
Status conformance_case_write(const ConformanceCase *row, const char *path);

/* Writes the pack into a new folder. */
Status conformance_write(const char *folder, const Progress *progress);

/* The judgement of one case. */
typedef struct ConformanceVerdict {
    char name[64];
    char method[64]; /* expected method that is nearest to the positions; "" if there are no positions */
    bool passed;     /* whether the positions, and the normals if there are any, agree */
    double distance; /* largest distance from the method's positions, as a share of the diagonal, or NAN */
    double angle_degrees; /* largest angle between normals; NAN if there are none */
    char reason[1024];    /* why the case failed; "" if it passed */
    char cause[384]; /* the part of the reason that says which method the positions resemble; "" if none */
} ConformanceVerdict;

typedef struct ConformanceTask {
    const char *pack, *results; /* folders */
    const char *method;         /* demanded method, such as "dqs", with any policy; NULL: any */
    int threads;
    const Progress *progress;
} ConformanceTask;

/* Judges an engine's results by the pack. The folder `results` has a file for each case (NAME.json, .npy,
 * .pc2 or .glb) or a folder NAME with one mesh file per frame. A case without a valid result gets a verdict
 * that says so. Cases without the demanded method get none. Fails with STATUS_BAD_INPUT if a file of the pack
 * is invalid. Release *out with memory_free. */
Status conformance_judge(const ConformanceTask *task, ConformanceVerdict **out, int *count);
