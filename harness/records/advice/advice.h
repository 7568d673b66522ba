/* Which direct method a rig should have: what was measured of each, and the sentence that follows by a rule.
 */
#pragma once

#include "datasets/model/dataset.h"

enum { ADVICE_NAME_BYTES = 64, ADVICE_VIEWS = 3, ADVICE_SENTENCE_BYTES = 1024 };

/* What is measured without a truth. Distances are in per cent of the rest pose's diagonal. */
typedef enum AdviceMeasure {
    ADVICE_VOLUME,     /* mean change of volume over the poses, either way, in per cent */
    ADVICE_STRETCH,    /* mean change of the length of edges, in per cent */
    ADVICE_AREA,       /* mean change of the area of triangles, by area, in per cent */
    ADVICE_COLLAPSE,   /* how far skin that blends joints comes closer to its bones, in per cent of its
                          distance: */
    ADVICE_BULGE,      /* and how far away; each joint's greatest, and the mean over joints */
    ADVICE_CROSSING,   /* edges of blended skin that pass through other skin, in per cent of them; mean over
                          some frames of the file and each joint's furthest bend */
    ADVICE_GAP,        /* greatest lengthening of an edge between two joint sets, less that under lbs */
    ADVICE_JUMP,       /* greatest way of a vertex while a joint turns from 179 to 181 degrees */
    ADVICE_DIFFERENCE, /* greatest mean distance from lbs of the skin at a joint */
    ADVICE_E_RMS,      /* against the file's shapes; NAN: it has none */
    ADVICE_ERROR,      /* root mean square distance from the reference shape; NAN: there is none */
    ADVICE_MEASURES
} AdviceMeasure;

/* Its member in --json, its column, and what it is. */
typedef struct AdviceMeasureRow {
    const char *name, *title, *meaning;
} AdviceMeasureRow;
extern const AdviceMeasureRow advice_measures[ADVICE_MEASURES];

typedef struct AdviceMethod {
    char name[ADVICE_NAME_BYTES], title[ADVICE_NAME_BYTES];
    char reason[STATUS_TEXT_BYTES]; /* why it does not take this rig; "": it does, and all below is known */
    double values[ADVICE_MEASURES]; /* NAN: there is none */
    double cost, cost_low,
        cost_high; /* time of a frame in file order over that of lbs, and its 95 % interval */
    double ns_per_vertex;
    double device_cost, device_ns_per_vertex; /* likewise on Advice.device; NAN: it does not run there */
    int bytes_per_vertex, bytes_per_joint, bytes_per_set; /* of the method's own, besides weights */
    double data_bytes;                                    /* weights, joint numbers and values, per vertex */
    double precompute_s;                                  /* to bind it to the rig, on one thread */
    double harm;      /* loss of shape over that of lbs: what the rule goes by; with a reference, error */
    int dominated_by; /* a method that is no worse in cost and harm, with a reference in bytes too; -1: none
                       */
} AdviceMethod;

typedef struct AdviceJoint {
    char name[ADVICE_NAME_BYTES];
    int vertex_count;         /* whose skin blends it */
    double difference;        /* ADVICE_DIFFERENCE here, of the methods that are not dominated */
    double *collapse, *bulge; /* [method_count] */
} AdviceJoint;

/* A joint where methods differ most, in the pose where they do. */
typedef struct AdviceView {
    int joint;
    char pose[ADVICE_NAME_BYTES]; /* "frame 12" or "bent 90 degrees" */
    Vec3 center;                  /* of the skin at the joint in this pose, */
    double radius;                /* and a ball around it */
    int method_count;
    int methods[4];      /* lbs first */
    float *positions[4]; /* [N][3] */
    float *changes[4];   /* [N] change of the area around a vertex, as a share */
} AdviceView;

typedef struct Advice {
    char name[ADVICE_NAME_BYTES]; /* of the rig */
    Mesh mesh; /* measured and shown: vertices of one place and weights are one; rest is borrowed */
    int joint_count, own_poses, gauntlet_poses, thread_count;
    uint64_t seed;
    double budget;                     /* times the cost of lbs; INFINITY: any */
    char device[ADVICE_NAME_BYTES];    /* a backend, that frames were timed on too; "": none */
    char reference[ADVICE_NAME_BYTES]; /* whose shape the others are to have: a method, or "file"; "": none */
    AdviceMethod *methods;
    int method_count, lbs; /* lbs: its number */
    AdviceJoint *joints;   /* those that skin blends, the greatest difference first */
    int joint_used;
    AdviceView views[ADVICE_VIEWS];
    int view_count;
    int chosen; /* the method that is advised */
    char sentence[ADVICE_SENTENCE_BYTES];
} Advice;

/* What a method costs, over lbs: time on simd, on the device, bytes of the bound rig. */
typedef enum AdviceCost { ADVICE_TIME, ADVICE_DEVICE_TIME, ADVICE_BYTES, ADVICE_COSTS } AdviceCost;
double advice_cost(const Advice *advice, int method, AdviceCost cost);

/* Whether another method that has no fault costs no more and does no more harm. */
bool advice_is_beaten(const Advice *advice, int method, AdviceCost cost);

/* The rule in words. */
const char *advice_rule(const Advice *advice);

/* Whether a method is the reference itself. */
bool advice_is_reference(const Advice *advice, int method);

/* A difference from lbs that is seen, and a gap that tears the skin, in per cent of the diagonal; edge
 * stretch or area distortion that strains it, over that of lbs; and the least that harm has to shrink by for
 * a method to be named, as a share. */
extern const double ADVICE_VISIBLE_PERCENT, ADVICE_TEAR_PERCENT, ADVICE_STRAIN, ADVICE_LEAST_GAIN;

/* Finds the harm of methods and which are dominated: their values and costs are known. */
void advice_dominate(Advice *advice);

/* What rules a method out, whatever its harm: "tears the skin", "strains the skin"; NULL: nothing. */
const char *advice_fault(const Advice *advice, int method);

/* Whether the rule names a method beside lbs: not dominated, within the budget, harm less by
 * ADVICE_LEAST_GAIN, and a difference that is seen. */
bool advice_names(const Advice *advice, int method);

/* Chooses, and writes the sentence: after advice_dominate. Joints, by difference, name the places. */
void advice_conclude(Advice *advice);

void advice_clear(Advice *advice);
