/* The scenes of a report's 3D view. A scene shows the skinned and fitted shapes of one data set side by
 * side. It is written as a file that the page loads on demand (scenes/NAME.js), and as pictures for
 * browsers that cannot draw it. */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/records/record/subject.h"
#include "harness/show/scenes/viewer_scene.h"

enum { SCENES_MAX = 10 };

/* A scene that was written. */
typedef struct ReportScene {
    char name[VIEWER_NAME_BYTES]; /* base name of its files (file_name.h) */
    char title[VIEWER_TEXT_BYTES];
    char file[VIEWER_NAME_BYTES + 16];                       /* "scenes/NAME.js", in the report's folder */
    char pictures[VIEWER_SHAPES_MAX][2 * VIEWER_NAME_BYTES]; /* [picture_count] "scenes/NAME--METHOD.png" */
    int picture_count; /* number of pictures; 0 if the build cannot draw any */
    size_t size_bytes; /* size of `file` */
} ReportScene;

/* All scenes of a report. Texts from records are unescaped: escape them when writing. */
typedef struct ReportScenes {
    ReportScene items[SCENES_MAX];
    int count;
    char left_out[4096]; /* sentences with the reasons for omitted scenes, each ending in a line break; "" if
                            none was omitted */
} ReportScenes;

/* Callbacks for making scenes. The report itself runs no method, so harness/run/repeat/ provides these
 * functions. */
typedef struct SceneMaker {
    /* Loads the data set that has this digest. *found tells whether there is one; if so, release it with
     * subject_clear. */
    Status (*find)(void *context, const char *sha256, const Progress *progress, Subject *out, bool *found);
    /* Repeats a record and fills positions [count][N][3] with frames 0, step, 2 step, ... of the result.
     * For a fit, *e_rms is set to its error. */
    Status (*repeat)(void *context, const Record *record, const Subject *subject, int step, int count,
                     const Progress *progress, float *positions, double *e_rms);
    void *context;
} SceneMaker;

/* The callbacks that make the scenes, and limits of time and of threads. */
typedef struct SceneSources {
    SceneMaker maker;
    double budget_s; /* time limit for all scenes; 0: no scenes */
    int threads;     /* for pictures */
} SceneSources;

/* Writes the scenes of all available data sets to folder/scenes, which is created if there are any. A data
 * set that is not found, or a fit that fails, adds a sentence to left_out. Fails with STATUS_STOPPED if the
 * user asked for it, STATUS_SYSTEM if something cannot be written. */
Status report_scenes_write(const RecordStore *store, const SceneSources *sources, const char *folder,
                           const Progress *progress, ReportScenes *out);
