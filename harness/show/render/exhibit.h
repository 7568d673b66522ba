/* Pictures of frames of one or several files from one camera. Colours show the distance from a target, the
 * bones, or nothing. */
#pragma once

#include "harness/show/render/image.h"

enum { EXHIBIT_FILES_MAX = 16 };

typedef enum ExhibitColor { EXHIBIT_PLAIN, EXHIBIT_ERROR, EXHIBIT_BONES } ExhibitColor;

typedef struct ExhibitOptions {
    const char *paths[EXHIBIT_FILES_MAX];
    int file_count;
    const char *target; /* file from which errors are measured; NULL: none */
    ExhibitColor color; /* EXHIBIT_ERROR needs a target */
    const char *view;   /* name for camera_view, used if `camera` is NULL */
    const char *camera; /* camera_parse's text */
    char up;            /* 'y' or 'z' */
    bool ground;
    bool follow; /* whether the camera follows the centre of the first file's bounding box from frame to frame
                  */
    double range_percent; /* error at the end of the colour map, in per cent of the diagonal; 0: chosen from
                             the errors shown */
    int width, height;    /* size of one file's picture */
    int samples;          /* tracer.h */
    int threads;
    const Progress *progress; /* may be NULL */
} ExhibitOptions;

/* Errors are the distances of the vertices from the target. They are in per cent of the diagonal of the
 * target's first frame, as `measure` reports them. */
typedef struct ExhibitErrors {
    double range_percent;                   /* error at the end of the colour map */
    double most_percent[EXHIBIT_FILES_MAX]; /* largest error of each file in the frames shown */
} ExhibitErrors;

typedef struct Exhibit Exhibit;

/* Opens the files. The options must outlive the exhibit. Fails with STATUS_BAD_INPUT naming files that do
 * not match, a file without triangles, or one without a rig for EXHIBIT_BONES. Release with exhibit_close
 * (NULL is allowed). */
Status exhibit_open(const ExhibitOptions *options, Exhibit **out);
void exhibit_close(Exhibit *exhibit);
DEFINE_OWNED_BY(Exhibit, exhibit_close)

/* Return two facts of the open files: the number of frames that all files have, and the frames per second
 * of the first file. */
int exhibit_frame_count(const Exhibit *exhibit);
double exhibit_fps(const Exhibit *exhibit);

/* Finds the frame in which any file has the largest root mean square distance from the target. */
Status exhibit_worst_frame(Exhibit *exhibit, int *frame);

/* Fits one camera to frames [count] of all files and finds the range of the colour map. Call before
 * exhibit_render. Fails with STATUS_BAD_INPUT naming the file and frame of a value that is not finite. */
Status exhibit_survey(Exhibit *exhibit, const int *frames, int count, ExhibitErrors *errors);

/* Renders one file in one frame, and allocates *out. */
Status exhibit_render(Exhibit *exhibit, int file, int frame, Image *out);
