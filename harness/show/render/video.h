/* Videos, by ffmpeg: found on the PATH at run time and run as a child process that is fed pictures. */
#pragma once

#include "datasets/base/child.h"
#include "harness/show/render/image.h"

/* Whether a file of this name is a video: .mp4 (H.264) or .webm (VP9). */
bool video_is_named(const char *path);

/* The version of ffmpeg into text [size]; STATUS_UNAVAILABLE when it is not on the PATH. */
Status video_probe(char *text, size_t size);

typedef struct Video {
    Child encoder;
} Video;

/* Starts to write `path`, which ends in .mp4 or .webm and is written as it is (datasets/io/atomic_path.h
 * gives one). Sides must be even. STATUS_UNAVAILABLE where there is no ffmpeg. */
Status video_start(const char *path, int width, int height, double fps, Video *out);

/* Adds a picture of the size. STATUS_SYSTEM, with what it printed, when ffmpeg has ended. */
Status video_add(Video *video, const Image *image);

/* Waits until the file is whole. */
Status video_finish(Video *video);

/* Ends ffmpeg where it is; the file stays unfinished. Legal after video_finish and on {0}. */
void video_abandon(Video *video);
