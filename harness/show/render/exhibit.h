/* What pictures show: frames of one or several files, from one camera, coloured by their distance from a
 * target, by their bones or not at all. */
#pragma once

#include "harness/show/render/image.h"

enum { EXHIBIT_FILES_MAX = 16 };

typedef enum ExhibitColor { EXHIBIT_PLAIN, EXHIBIT_ERROR, EXHIBIT_BONES } ExhibitColor;

typedef struct ExhibitOptions {
    const char *paths[EXHIBIT_FILES_MAX];
    int file_count;
    const char *target; /* what errors are against; NULL: none */
    ExhibitColor color; /* EXHIBIT_ERROR needs a target */
    const char *view;   /* camera_view's name, where `camera` is NULL */
    const char *camera; /* camera_parse's text */
    char up;            /* 'y' or 'z' */
    bool ground;
    bool follow; /* the camera goes along with the middle of the first file's box, from frame to frame */
    double range_percent; /* at the end of the colour map, of the diagonal; 0: by what is shown */
    int width, height;    /* of one file's picture */
    int samples;          /* tracer.h */
    int threads;
    const Progress *progress; /* may be NULL */
} ExhibitOptions;

/* Errors are vertex distances in per cent of the diagonal of the target's first frame, as `measure` reports
 * them. */
typedef struct ExhibitErrors {
    double range_percent;                   /* at the end of the colour map */
    double most_percent[EXHIBIT_FILES_MAX]; /* of each file, in the frames that are shown */
} ExhibitErrors;

typedef struct Exhibit Exhibit;

/* Opens the files. The options must outlive the exhibit. STATUS_BAD_INPUT names files that do not go
 * together, or a file without triangles, or without a rig for EXHIBIT_BONES. Release with exhibit_close (NULL
 * is allowed). */
Status exhibit_open(const ExhibitOptions *options, Exhibit **out);
void exhibit_close(Exhibit *exhibit);
DEFINE_OWNED_BY(Exhibit, exhibit_close)

/* Frames that all files have, and per second of the first file. */
int exhibit_frame_count(const Exhibit *exhibit);
double exhibit_fps(const Exhibit *exhibit);

/* The frame where a file's root mean square distance from the target is greatest, of all files and frames. */
Status exhibit_worst_frame(Exhibit *exhibit, int *frame);

/* Frames one camera around frames [count] of all files, and finds the range of their colours: before the
 * first exhibit_render. STATUS_BAD_INPUT names a file and frame with a value that is not finite. */
Status exhibit_survey(Exhibit *exhibit, const int *frames, int count, ExhibitErrors *errors);

/* The picture of one file in a frame, which is allocated here. */
Status exhibit_render(Exhibit *exhibit, int file, int frame, Image *out);
