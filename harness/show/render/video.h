/* Writes videos with ffmpeg, which is found on the PATH at run time. It runs as a child process that reads
 * the pictures from a pipe. */
#pragma once

#include "datasets/base/child.h"
#include "harness/show/render/image.h"

/* Whether a file name has the ending of a video: .mp4 (H.264) or .webm (VP9). */
bool video_is_named(const char *path);

/* Writes the version of ffmpeg to text [size]; fails with STATUS_UNAVAILABLE if it is not on the PATH. */
Status video_probe(char *text, size_t size);

typedef struct Video {
    Child encoder;
} Video;

/* Starts to write `path`, which must end in .mp4 or .webm. The file is written in place, so pass a
 * temporary path (datasets/io/atomic_path.h). Both sides must be even. Fails with STATUS_UNAVAILABLE
 * without ffmpeg. */
Status video_start(const char *path, int width, int height, double fps, Video *out);

/* Adds a picture, which must have the size of the video. Fails with STATUS_SYSTEM and ffmpeg's output if
 * ffmpeg has ended. */
Status video_add(Video *video, const Image *image);

/* Waits until ffmpeg has completed the file. */
Status video_finish(Video *video);

/* Stops ffmpeg and leaves the file unfinished. May be called after video_finish, and for a video that was
 * never started ({0}). */
void video_abandon(Video *video);
