/* Starts ffmpeg, which reads raw pictures and writes a video without dates or versions. ffmpeg uses one
 * thread, so that the same pictures give the same bytes. */
#include "harness/show/render/video.h"

#include "datasets/io/atomic_path.h"

enum { OUTPUT_BYTES = 512 };

static const char no_videos[] = "videos need the program ffmpeg (package ffmpeg)";

static const struct {
    const char *ending, *codec, *quality; /* quality level; lower is better */
} formats[] = {{".mp4", "libx264", "18"}, {".webm", "libvpx-vp9", "28"}};

/* Returns the index of the format for a file name, or -1. */
static int video_format_find(const char *path)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (path_ends(path, formats[i].ending))
            return (int)i;
    return -1;
}

bool video_is_named(const char *path)
{
    return video_format_find(path) >= 0;
}

Status video_probe(char *text, size_t size)
{
    char *arguments[] = {(char[]){"ffmpeg"}, (char[]){"-version"}, NULL};
    Status status = child_run_whole(arguments, no_videos, text, size);
    char *rest = strstr(text, " Copyright");
    if (rest)
        *rest = '\0';
    return status;
}

Status video_start(const char *path, int width, int height, double fps, Video *out)
{
    char command[1024], *arguments[40], file[4096 + 8], *cursor = NULL;
    const int format = video_format_find(path);
    int count = 0;
    snprintf(command, sizeof command,
             "ffmpeg -nostdin -nostats -loglevel error -y -f rawvideo -pixel_format rgb24 -video_size %dx%d "
             "-framerate %.6f -i pipe:0 -c:v %s -crf %s -b:v 0 -pix_fmt yuv420p -threads 1 -fflags +bitexact "
             "-flags:v +bitexact -map_metadata -1",
             width, height, fps, formats[format].codec, formats[format].quality);
    for (char *word = strtok_r(command, " ", &cursor); word; word = strtok_r(NULL, " ", &cursor))
        arguments[count++] = word;
    *out = (Video){0};
    if (snprintf(file, sizeof file, "file:%s", path) >= (int)sizeof file)
        return bad_input("%.100s...: the name is too long", path);
    arguments[count++] = file;
    arguments[count] = NULL;
    return child_start(arguments, no_videos, true, &out->encoder);
}

Status video_add(Video *video, const Image *image)
{
    const size_t row_bytes = 3 * (size_t)image->width;
    if (fwrite(image->rgb, row_bytes, (size_t)image->height, video->encoder.input) == (size_t)image->height)
        return status_ok();
    Status status = video_finish(video);
    return status.code != STATUS_OK ? status
                                    : status_make(STATUS_SYSTEM, "ffmpeg ended before the last picture");
}

Status video_finish(Video *video)
{
    char text[OUTPUT_BYTES];
    return child_finish(&video->encoder, text, sizeof text);
}

void video_abandon(Video *video)
{
    child_kill(&video->encoder);
}
