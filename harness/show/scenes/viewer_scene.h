/* A scene of the report's 3D view: shapes of one mesh in the same frames, side by side, each with the
 * distance of its vertices from what they are compared with. Written as a script that a page loads from its
 * own folder without a server (results/README.md documents it), and as pictures. */
#pragma once

#include "datasets/io/file_name.h"
#include "datasets/model/dataset.h"

enum {
    VIEWER_NAME_BYTES = FILE_NAME_BYTES,
    VIEWER_TEXT_BYTES = 256,
    VIEWER_SHAPES_MAX = 8,
    VIEWER_RECORD_BYTES = 40
};

typedef struct ViewerShape {
    char name[VIEWER_NAME_BYTES]; /* of its picture, after the scene's (file_name.h) */
    char label[VIEWER_TEXT_BYTES];
    char record[VIEWER_RECORD_BYTES]; /* names its record on the page; "": it has none */
    float *positions;                 /* [F][N][3], finite */
    float *errors;                    /* [F][N] in the unit of the scene; NULL: it is compared with nothing */
} ViewerShape;

typedef struct ViewerScene {
    char name[VIEWER_NAME_BYTES]; /* of its files (file_name.h) */
    char title[VIEWER_TEXT_BYTES];
    const char *kind;                    /* "skinning" or "decomposition" */
    const Mesh *mesh;                    /* N, and the triangles */
    const Rig *rig;                      /* of P joints, whose skeleton and weights are shown; NULL: none */
    int frame_count;                     /* F, those that are shown: */
    int frame_step;                      /* shows every frame_step-th of the data set, from the first */
    double fps;                          /* of those that are shown */
    char error_title[VIEWER_TEXT_BYTES]; /* what errors are */
    bool changes; /* errors are changes of area in per cent, either way; else distances, of the diagonal */
    double error_maximum; /* the end of the common scale, by viewer_scene_survey */
    int worst_frame;      /* where the mean square error of a shape is greatest, by the same */
    ViewerShape shapes[VIEWER_SHAPES_MAX];
    int shape_count;
} ViewerScene;

/* Frees the shapes' arrays. */
void viewer_scene_clear(ViewerScene *scene);

/* Fills errors [F][N] of a shape in: the distance of every vertex from that of `target` [F][N][3], in per
 * cent of `diagonal`. STATUS_SYSTEM: out of memory. */
Status viewer_shape_measure(ViewerScene *scene, ViewerShape *shape, const float *target, double diagonal);

/* Fills errors [F][N] of a shape in: by how many per cent the area around every vertex differs from that in
 * the rest pose, 0 at a vertex without triangles. */
Status viewer_shape_measure_area(ViewerScene *scene, ViewerShape *shape);

/* Finds the end of the common scale of the errors, and the worst frame. */
void viewer_scene_survey(ViewerScene *scene);

/* The greatest error of a shape. */
typedef struct ViewerWorst {
    int frame, vertex; /* frame: of those that are shown */
    double value;
} ViewerWorst;
ViewerWorst viewer_shape_worst(const ViewerScene *scene, const ViewerShape *shape);

/* Writes the script to `path`, which must not be there. positions are quantised to a 16383rd of the sides of
 * the box around all shapes. *size_bytes is the file's. STATUS_SYSTEM when it cannot be written,
 * STATUS_STOPPED. */
Status viewer_scene_write(const ViewerScene *scene, const char *path, const Progress *progress,
                          size_t *size_bytes);

/* Writes the worst frame of one shape to a PNG file: the same camera for all, colours by the common scale.
 * STATUS_UNAVAILABLE where the program was built without Embree (harness/show/render/tracer.h). */
Status viewer_picture_write(const ViewerScene *scene, const ViewerShape *shape, int threads, const char *path,
                            const Progress *progress);
