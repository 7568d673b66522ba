/* Procedural data sets, a file each; the table lists them all. Same parameters, same values; written, the
 * same bytes. Lengths are in metres, y is up, +z is where a figure looks. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/model/dataset.h"

typedef struct Generator {
    const char *name;
    const char *title;         /* in a list */
    const char *dataset_title; /* of what it makes */
    const Parameter *parameters;
    /* Fills an empty data set. parameters are parallel to the rows and within their ranges. STATUS_USAGE for
     * values that do not go together; what takes more than a moment passes `progress` to generate_report. */
    Status (*fill)(const double *parameters, const Progress *progress, Dataset *dataset);
    /* NULL: fill makes the positions, too. Else it makes all but these and sets their number of frames, and
     * this one makes positions [N][3] of one frame, frames at once on several threads. */
    void (*frame)(const double *parameters, const Dataset *dataset, int frame, float *positions);
} Generator;

/* Makes the data set of these parameters, at 30 frames per second; errors as `fill`. `progress` may be NULL.
 * Release *out with dataset_free. */
Status generator_run(const Generator *generator, const double *parameters, const Progress *progress,
                     Dataset **out);

/* The same, written to a file as it is made: of positions that are made frame by frame, memory holds 64 MB,
 * or a frame for each thread. The bytes do not depend on the threads (0: one). */
Status generator_write(const Generator *generator, const double *parameters, int threads,
                       const Progress *progress, const char *path);

int generator_count(void);
const Generator *generator_at(int index);
const Generator *generator_find(const char *name); /* NULL when there is none */
/* For a name that a user gave: STATUS_USAGE says which one was meant. */
Status generator_named(const char *name, const Generator **out);

/* The rows, a file each. */
extern const Generator generator_bar;   /* CoR Fig. 2: two bones, twisted and bent; a rig */
extern const Generator generator_rig;   /* a figure with fingers in seeded poses; a rig, for timing */
extern const Generator generator_walk;  /* a figure walking: a rig and its linear blend; articulated target */
extern const Generator generator_jelly; /* a soft body swimming; positions only; deformable target */
extern const Generator generator_cloth; /* a flag in the wind; positions only; open mesh */
extern const Generator generator_sheet; /* CoR Fig. 12: a plane sheet over loose joints; a rig */
extern const Generator generator_flag;  /* FESAM Table 2: a flag in gusts, simulated; positions only */
extern const Generator generator_skirt; /* and a skirt on a walking body */
extern const Generator generator_cloak; /* and a cloak */
extern const Generator generator_elastic; /* and a soft animal, tumbling; closed mesh */
extern const Generator generator_face;    /* blendshapes of a mask; positions only */

/* Rigs of one closed surface with bone-heat weights, at the sizes of published models (body.c). */
extern const Generator generator_arm;
extern const Generator generator_hand;        /* SBS Table 1 */
extern const Generator generator_biped;       /* the human of DQS section 5 */
extern const Generator generator_biped_large; /* the woman of SBS Table 1 */
extern const Generator generator_creature;    /* SBS Table 1 */
