/* Procedural data sets, one source file each; a table lists them all. The same parameters give the same
 * values and the same bytes in a file. Lengths are in metres, y is up, and figures face +z. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/model/dataset.h"

typedef struct Generator {
    const char *name;
    const char *title;         /* title in lists */
    const char *dataset_title; /* title of the data set */
    const Parameter *parameters;
    /* Fills in an empty data set. `parameters` has one value for each row, within its range. STATUS_USAGE
     * if the values are inconsistent. Long work passes `progress` to progress_try. */
    Status (*fill)(const double *parameters, const Progress *progress, Dataset *dataset);
    /* Makes the positions [N][3] of one frame. Several threads call it at once, each for a different frame.
     * `fill` makes everything else and sets the number of frames. If `frame` is NULL, `fill` makes the
     * positions, too. */
    void (*frame)(const double *parameters, const Dataset *dataset, int frame, float *positions);
} Generator;

/* Makes the data set for these parameters, at 30 frames per second. Fails if the generator's function
 * `fill` fails. `progress` may be NULL. Release *out with dataset_free. */
Status generator_run(const Generator *generator, const double *parameters, const Progress *progress,
                     Dataset **out);

/* Makes a data set as generator_run does, but writes it to a file. If the generator makes positions frame
 * by frame, only one block of them is in memory: at most 64 MB, or one frame per thread. The bytes do not
 * depend on the number of threads (0 means one). */
Status generator_write(const Generator *generator, const double *parameters, int threads,
                       const Progress *progress, const char *path);

int generator_count(void);
const Generator *generator_at(int index);
const Generator *generator_find(const char *name); /* NULL if there is none */
/* Finds a generator by a name from the user. STATUS_USAGE suggests the name that was probably meant. */
Status generator_named(const char *name, const Generator **out);

/* The rows of the table, one file each. */
extern const Generator generator_bar;  /* CoR Fig. 2: a bar of two bones, twisted and bent; a rig */
extern const Generator generator_rig;  /* a figure with fingers in seeded poses; a rig, used for timing */
extern const Generator generator_walk; /* a walking figure: a rig and its linear blend, a target that a rig
                                          can reproduce exactly */
extern const Generator
    generator_jelly; /* a soft swimming body; positions only, a target that no rig can reproduce */
extern const Generator generator_cloth; /* a flag in the wind; positions only; open mesh */
extern const Generator generator_sheet; /* CoR Fig. 12: a plane sheet over loose joints; a rig */
extern const Generator generator_flag;  /* FESAM Table 2: a flag in gusts, simulated; positions only */
extern const Generator generator_skirt; /* FESAM Table 2: a skirt on a walking body, simulated */
extern const Generator generator_cloak; /* FESAM Table 2: a cloak, simulated */
extern const Generator
    generator_elastic;                 /* FESAM Table 2: a soft animal that tumbles, simulated; closed mesh */
extern const Generator generator_face; /* blendshapes of a mask; positions only */

/* Rigs with one closed surface and bone-heat weights. Each has as many vertices as a published model
 * (body.c). */
extern const Generator generator_arm;
extern const Generator generator_hand;        /* as many vertices as the hand in SBS Table 1 */
extern const Generator generator_biped;       /* as many vertices as the human in DQS section 5 */
extern const Generator generator_biped_large; /* as many vertices as the woman in SBS Table 1 */
extern const Generator generator_creature;    /* as many vertices as the creature in SBS Table 1 */
