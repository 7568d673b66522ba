/* The scenes of a report's 3D view: skinned and fitted shapes of its records' data sets, side by side, as
 * files that the page loads when one is chosen (scenes/NAME.js), and as pictures for browsers that cannot
 * draw them. */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/records/record/subject.h"
#include "harness/show/scenes/viewer_scene.h"

enum { SCENES_MAX = 10 };

/* A scene that was written. */
typedef struct ReportScene {
    char name[VIEWER_NAME_BYTES]; /* of its files (file_name.h) */
    char title[VIEWER_TEXT_BYTES];
    char file[VIEWER_NAME_BYTES + 16];                       /* "scenes/NAME.js", in the report's folder */
    char pictures[VIEWER_SHAPES_MAX][2 * VIEWER_NAME_BYTES]; /* [picture_count] "scenes/NAME--METHOD.png" */
    int picture_count;                                       /* 0: the build cannot draw any */
    size_t size_bytes;                                       /* of `file` */
} ReportScene;

/* All of a report. Texts from records are as they stand there: escape them. */
typedef struct ReportScenes {
    ReportScene items[SCENES_MAX];
    int count;
    char left_out[4096]; /* what is not shown, and why: sentences, each with a line break behind it; "":
                            nothing */
} ReportScenes;

/* What makes scenes: nothing of the report runs a method (harness/run/repeat/ does). */
typedef struct SceneMaker {
    /* Loads the data set of that digest; then release it with subject_clear. *found: whether there is one. */
    Status (*find)(void *context, const char *sha256, const Progress *progress, Subject *out, bool *found);
    /* Fills positions [count][N][3] with frames 0, step, 2 step, ... of what the record was measured of;
     * *e_rms of a fit. */
    Status (*repeat)(void *context, const Record *record, const Subject *subject, int step, int count,
                     const Progress *progress, float *positions, double *e_rms);
    void *context;
} SceneMaker;

/* What makes the scenes, and what may be spent. */
typedef struct SceneSources {
    SceneMaker maker;
    double budget_s; /* 0: no scenes */
    int threads;     /* for pictures */
} SceneSources;

/* Writes the scenes of the data sets that are found into folder/scenes, which is made if there are any.
 * STATUS_STOPPED when the user asked for a stop, STATUS_SYSTEM when something cannot be written; a data set
 * that is not found, or a fit that fails, is a sentence in left_out. */
Status report_scenes_write(const RecordStore *store, const SceneSources *sources, const char *folder,
                           const Progress *progress, ReportScenes *out);
