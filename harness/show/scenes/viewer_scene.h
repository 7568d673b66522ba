/* A scene of the report's 3D view: shapes of one mesh side by side, in the same frames, each with the
 * distances of its vertices from a reference. A scene is written as pictures, and as a script that a page
 * loads from its own folder without a server (documented in results/formats.md). */
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
    char name[VIEWER_NAME_BYTES]; /* second part of the file name of the shape's picture, after the scene's
                                     name (file_name.h) */
    char label[VIEWER_TEXT_BYTES];
    char record[VIEWER_RECORD_BYTES]; /* name of its record on the page; "" if none */
    float *positions;                 /* [F][N][3], finite */
    float *errors;                    /* [F][N] in the unit of the scene; NULL without a reference */
} ViewerShape;

typedef struct ViewerScene {
    char name[VIEWER_NAME_BYTES]; /* base name of its files (file_name.h) */
    char title[VIEWER_TEXT_BYTES];
    const char *kind; /* "skinning" or "decomposition" */
    const Mesh *mesh; /* mesh of all shapes: N vertices and the triangles */
    const Rig *rig;   /* rig whose skeleton and weights are shown, with P joints; NULL if none */
    int frame_count;  /* F, the number of frames shown */
    int frame_step; /* distance between shown frames: the scene shows frames 0, frame_step, 2 frame_step, ...
                       of the data set */
    double fps;     /* frames shown per second */
    char error_title[VIEWER_TEXT_BYTES]; /* title that says what the errors are */
    bool changes; /* true: errors are signed changes of area in per cent; false: distances in per cent of the
                     diagonal */
    double error_maximum; /* error at the end of the common colour scale, set by viewer_scene_survey */
    int worst_frame; /* frame with the largest mean square error of any shape, set by viewer_scene_survey */
    ViewerShape shapes[VIEWER_SHAPES_MAX];
    int shape_count;
} ViewerScene;

/* Frees the shapes' arrays. */
void viewer_scene_clear(ViewerScene *scene);

/* Fills a shape's errors [F][N] with the distance of every vertex from its position in `target` [F][N][3],
 * in per cent of `diagonal`. Fails with STATUS_SYSTEM if memory runs out. */
Status viewer_shape_measure(ViewerScene *scene, ViewerShape *shape, const float *target, double diagonal);

/* Fills a shape's errors [F][N] with the change of the area around every vertex relative to the rest pose,
 * in per cent; 0 for a vertex without triangles. */
Status viewer_shape_measure_area(ViewerScene *scene, ViewerShape *shape);

/* Finds the end of the common scale of the errors, and the worst frame. */
void viewer_scene_survey(ViewerScene *scene);

/* The largest error of a shape, and where it is. */
typedef struct ViewerWorst {
    int frame, vertex; /* index of the frame among the frames shown */
    double value;
} ViewerWorst;
ViewerWorst viewer_shape_worst(const ViewerScene *scene, const ViewerShape *shape);

/* Writes the script of a scene to `path`, which must not exist. Positions are rounded to 1/16383 of the
 * sides of the box around all shapes. *size_bytes is the size of the file. Fails with STATUS_SYSTEM if it
 * cannot be written, STATUS_STOPPED if stopped. */
Status viewer_scene_write(const ViewerScene *scene, const char *path, const Progress *progress,
                          size_t *size_bytes);

/* Writes a PNG picture of one shape in the scene's worst frame. All shapes have the same camera and colour
 * scale. Fails with STATUS_UNAVAILABLE without Embree in the build (harness/show/render/tracer.h). */
Status viewer_picture_write(const ViewerScene *scene, const ViewerShape *shape, int threads, const char *path,
                            const Progress *progress);
