/* Advice on which direct method to use for a rig: the measurements of each method, and the sentence that a
 * rule derives from them. */
#pragma once

#include "methods/runtime/skinning_method.h"

enum { ADVICE_NAME_BYTES = 64, ADVICE_VIEWS = 3, ADVICE_SHOWN = 3, ADVICE_SENTENCE_BYTES = 1024 };

/* Measures of a method in poses within the joints' ranges. All but ADVICE_E_RMS and ADVICE_ERROR need no
 * reference shape. Distances are in per cent of the rest pose's diagonal. */
typedef enum AdviceMeasure {
    ADVICE_VOLUME,   /* mean absolute change of volume over the poses, in per cent */
    ADVICE_STRETCH,  /* mean change of edge length, in per cent */
    ADVICE_AREA,     /* mean change of triangle area, weighted by area, in per cent */
    ADVICE_COLLAPSE, /* how far blended skin moves towards its bones, in per cent of its distance from them;
                        taken from the worst pose of each joint and averaged over the joints */
    ADVICE_BULGE,    /* how far blended skin moves away from its bones, averaged like ADVICE_COLLAPSE */
    ADVICE_CROSSING, /* share of the edges of blended skin that pass through other skin, in per cent; mean
                        over frames of the file and poses in which a joint is bent furthest */
    ADVICE_GAP,  /* largest lengthening of an edge between different joint sets, minus its lengthening under
                    lbs */
    ADVICE_JUMP, /* largest distance that a vertex moves while a joint turns from 179 to 181 degrees */
    ADVICE_DIFFERENCE, /* largest mean distance between the skin at a joint and the same skin under lbs */
    ADVICE_E_RMS,      /* E_RMS against the shapes in the file; NAN if the file has none */
    ADVICE_ERROR,      /* root mean square distance from the reference shape; NAN without a reference */
    ADVICE_MEASURES
} AdviceMeasure;

/* Describes a measure: its member in --json, its column title and its meaning. */
typedef struct AdviceMeasureRow {
    const char *name, *title, *meaning;
} AdviceMeasureRow;
extern const AdviceMeasureRow advice_measures[ADVICE_MEASURES];

typedef struct AdviceMethod {
    char name[ADVICE_NAME_BYTES], title[ADVICE_NAME_BYTES];
    const SkinningMethod *table;
    char reason[STATUS_TEXT_BYTES]; /* reason why the method does not accept this rig; "" if it does. The
                                       members below are set only if it accepts the rig. */
    double values[ADVICE_MEASURES]; /* values by AdviceMeasure; NAN if not available */
    double
        beyond[ADVICE_MEASURES]; /* volume, stretch, area, collapse, bulge and gap in the stress test, whose
                                       poses are beyond the joints' ranges; NAN if not available */
    double cost, cost_low,
        cost_high; /* time of a frame in file order relative to lbs, and the bounds of its 95 % interval */
    double ns_per_vertex;
    double device_cost, device_ns_per_vertex; /* cost relative to lbs and time on Advice.device; NAN if the
                                                 method does not run on that device */
    int bytes_per_vertex, bytes_per_joint,
        bytes_per_set;   /* bytes that the method stores per vertex, joint and joint set, without weights */
    double data_bytes;   /* bytes per vertex for weights, joint indices and the method's own data */
    double precompute_s; /* time to bind the rig on one thread */
    double harm; /* loss of shape divided by that of lbs; with a reference, error divided by that of lbs; the
                    rule compares this number */
    double stress; /* loss of shape beyond the joints' ranges, divided by that of lbs; NAN if not available */
    int dominated_by; /* Index of a method that dominates this one, or -1. The other method is no worse in
                         cost and harm and, with a reference, in bytes. */
} AdviceMethod;

typedef struct AdviceJoint {
    char name[ADVICE_NAME_BYTES];
    int vertex_count;  /* number of vertices that are influenced by this joint and by other joints */
    double difference; /* largest ADVICE_DIFFERENCE at this joint of any method that is not dominated */
    double *collapse, *bulge; /* [method_count] */
} AdviceJoint;

/* A joint at which methods differ most, shown in the pose in which they differ most. */
typedef struct AdviceView {
    int joint;
    char pose[ADVICE_NAME_BYTES]; /* name of the pose: "frame 12" or "bent 90 degrees" */
    Vec3 center;                  /* center of the skin at the joint in this pose */
    double radius;                /* radius of a ball around that skin */
    int method_count;
    int methods[ADVICE_SHOWN];      /* lbs first */
    float *positions[ADVICE_SHOWN]; /* [N][3] */
    /* [N] change of the distance from the bones, relative to the distance at rest; a bulge is positive.
     * With a reference: distance from the reference, relative to the diagonal. */
    float *changes[ADVICE_SHOWN];
} AdviceView;

typedef struct Advice {
    char name[ADVICE_NAME_BYTES]; /* name of the rig */
    Mesh mesh; /* mesh that is measured and shown, in which vertices of equal position and weights are merged;
                  `rest` is borrowed */
    int joint_count, own_poses, gauntlet_poses, poses_beyond, thread_count;
    uint64_t seed;
    double budget;                     /* largest allowed cost relative to lbs; INFINITY: no limit */
    char device[ADVICE_NAME_BYTES];    /* backend on which frames were also timed; "": none */
    char reference[ADVICE_NAME_BYTES]; /* method whose shape the other methods should match, or "file" for the
                                          shapes in the file; "": none */
    AdviceMethod *methods;
    int method_count, lbs; /* index of LBS in methods[] */
    AdviceJoint *joints;   /* joints that influence blended skin, in order of decreasing difference */
    int joint_used;
    AdviceView views[ADVICE_VIEWS];
    int view_count;
    int chosen; /* index of the advised method */
    /* sentence  what is advised, what it gains and costs, and cheaper methods that gain less
     * caveat    what the advised method does worse than lbs
     * stress    how the advised method does beyond the joints' ranges; "" if nothing was measured there */
    char sentence[ADVICE_SENTENCE_BYTES], caveat[ADVICE_SENTENCE_BYTES], stress[ADVICE_SENTENCE_BYTES];
} Advice;

/* Costs of a method relative to lbs: time on backend simd, time on the device, and bytes of the bound
 * rig. */
typedef enum AdviceCost { ADVICE_TIME, ADVICE_DEVICE_TIME, ADVICE_BYTES, ADVICE_COSTS } AdviceCost;
double advice_cost(const Advice *advice, int method, AdviceCost cost);

/* Whether another method without a fault costs no more and does no more harm than this method. */
bool advice_is_beaten(const Advice *advice, int method, AdviceCost cost);

/* Returns the rule in words. */
const char *advice_rule(const Advice *advice);

/* Whether the other methods are compared with the shapes of this method, so that it is the reference
 * itself. It dominates methods that cost more, as its own error is 0. */
bool advice_is_reference(const Advice *advice, int method);

/* Thresholds of the rule.
 *   VISIBLE  difference from lbs that is visible, in per cent of the diagonal
 *   TEAR     gap that tears the skin, in per cent of the diagonal
 *   STRAIN   edge stretch or area distortion that strains the skin, relative to lbs
 *   GAIN     smallest reduction of harm for which a method is named, as a fraction */
extern const double ADVICE_VISIBLE_PERCENT, ADVICE_TEAR_PERCENT, ADVICE_STRAIN, ADVICE_LEAST_GAIN;

/* Computes the harm of each method and finds the dominated methods. Values and costs must be set before. */
void advice_dominate(Advice *advice);

/* Returns the fault that rules a method out whatever its harm, "tears the skin" or "strains the skin"; NULL
 * if the method has none. */
const char *advice_fault(const Advice *advice, int method);

/* Whether the rule names a method beside lbs: it is not dominated, is within the budget, reduces harm by
 * ADVICE_LEAST_GAIN, and differs visibly. */
bool advice_names(const Advice *advice, int method);

/* Writes the time of a method relative to lbs as in "1.3" or, if the interval contains 1, as in "1.0 to
 * 1.6". */
enum { COST_TEXT_BYTES = 64 };
void advice_cost_format(const AdviceMethod *method, char text[COST_TEXT_BYTES]);

/* Chooses the advised method and writes the sentences. Call advice_dominate first. The sentence takes its
 * joint names from joints[], sorted by difference. */
void advice_conclude(Advice *advice);

void advice_clear(Advice *advice);
