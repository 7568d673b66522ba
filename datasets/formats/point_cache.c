/* Imports and exports point caches, which contain the vertices of a mesh frame by frame, but no faces.
 *
 *   PC2  3ds Max's Point Cache 2, Blender's mesh cache; little-endian: "POINTCACHE2\0", version 1, count of
 *        points, first frame and frames per sample as floats, count of samples; then float [F][N][3].
 *   MDD  LightWave; big-endian: count of frames, count of points, float times [F] in seconds; then float
 *        [F][N][3]. */
#include "datasets/formats/frame_array.h"

#include "datasets/formats/formats.h"
#include "datasets/io/input_file.h"

enum { PC2_HEADER_BYTES = 32, MDD_HEADER_BYTES = 8 };
static const unsigned char pc2_magic[12] = "POINTCACHE2";
static const double FPS = 30.0; /* assumed for PC2 files, which count time in frames */

/* Reads the header of a file: counts, times, and the offset of the first frame. */
typedef Status (*HeaderReader)(StoredFrames *stored, FrameArray *array, const ImportOptions *options);

static Status cache_import(const ImportOptions *options, const char *output, HeaderReader header_read)
{
    double size_bytes = 0.0;
    CLEANUP(stored_frames_close)
    StoredFrames stored = {.place = options->inputs[0], .file = -1, .type = NUMBER_FLOAT32};
    FrameArray array = {.place = stored.place, .read = stored_frames_read, .context = &stored};
    if (options->input_count > 1)
        return bad_usage("%s: a point cache must be the only input; --rest names the mesh with its faces",
                         options->inputs[1]);
    STATUS_TRY(input_file_open(stored.place, &stored.file, &size_bytes));
    stored.size_bytes = (int64_t)size_bytes;
    STATUS_TRY(header_read(&stored, &array, options));
    STATUS_TRY(stored_frames_check(&stored, &array));
    return frame_array_import(&array, options, output);
}

static Status pc2_header_read(StoredFrames *stored, FrameArray *array, const ImportOptions *options)
{
    unsigned char header[PC2_HEADER_BYTES];
    STATUS_TRY(stored_bytes_read(stored, 0, sizeof header, header));
    const double version = number_load(header + 12, NUMBER_INT32, false);
    const double start = number_load(header + 20, NUMBER_FLOAT32, false);
    const double rate = number_load(header + 24, NUMBER_FLOAT32, false);
    if (memcmp(header, pc2_magic, sizeof pc2_magic) != 0 || version != 1.0)
        return bad_input("%s: is not a PC2 point cache of version 1", stored->place);
    if (!isfinite(start) || !isfinite(rate) || rate <= 0.0)
        return bad_input("%s: begins at frame %g with %g frames per sample, expected finite numbers, "
                         "the second above 0",
                         stored->place, start, rate);
    array->fps = FPS / rate;
    if (options->fps <= 0.0)
        format_note(options->notes,
                    "one sample every %g frames, at %g frames per second (use --fps to set another rate)",
                    rate, FPS);
    stored->offset = sizeof header;
    return frame_array_counts(array, (int64_t)number_load(header + 28, NUMBER_INT32, false),
                              (int64_t)number_load(header + 16, NUMBER_INT32, false));
}

static Status mdd_header_read(StoredFrames *stored, FrameArray *array, const ImportOptions *options)
{
    unsigned char header[MDD_HEADER_BYTES];
    stored->big_endian = true;
    STATUS_TRY(stored_bytes_read(stored, 0, sizeof header, header));
    STATUS_TRY(frame_array_counts(array, (int64_t)number_load(header, NUMBER_INT32, true),
                                  (int64_t)number_load(header + 4, NUMBER_INT32, true)));
    stored->offset = MDD_HEADER_BYTES + 4 * (int64_t)array->frame_count;
    STATUS_TRY(stored_frames_check(stored, array));
    double first = 0.0, before = 0.0, shortest = INFINITY, longest = 0.0;
    for (int f = 0; f < array->frame_count; f++) {
        unsigned char bytes[4];
        STATUS_TRY(stored_bytes_read(stored, MDD_HEADER_BYTES + 4 * (int64_t)f, sizeof bytes, bytes));
        const double time = number_load(bytes, NUMBER_FLOAT32, true), step = time - before;
        if (!isfinite(time) || (f > 0 && step <= 0.0))
            return bad_input("%s: frame %d is at %g s, expected a time after %g s", stored->place, f, time,
                             before);
        shortest = f > 0 ? fmin(shortest, step) : shortest;
        longest = f > 0 ? fmax(longest, step) : longest;
        first = f > 0 ? first : time;
        before = time;
    }
    if (array->frame_count < 2)
        return status_ok();
    const double fps = (array->frame_count - 1) / (before - first), near = round(fps * 1000.0) / 1000.0;
    array->fps = fabs(fps - near) < 1e-5 * fps ? near : fps;
    if (longest > 1.01 * shortest)
        format_note(options->notes,
                    "frames are %g to %g s apart; the frame rate is taken as %g frames per second", shortest,
                    longest, array->fps);
    return status_ok();
}

Status pc2_import(const ImportOptions *options, const char *output)
{
    return cache_import(options, output, pc2_header_read);
}

Status mdd_import(const ImportOptions *options, const char *output)
{
    return cache_import(options, output, mdd_header_read);
}

static void pc2_begin(FILE *file, const Dataset *header)
{
    /* one sample per frame of the scene, from frame 0 on, at any frame rate */
    const int32_t counts[] = {1, header->mesh.vertex_count};
    const float start_and_rate[] = {0.0f, 1.0f};
    unsigned char bytes[PC2_HEADER_BYTES], *end = bytes + sizeof pc2_magic;
    memcpy(bytes, pc2_magic, sizeof pc2_magic);
    end = int32s_store(counts, 2, false, end);
    end = floats_store(start_and_rate, 2, false, end);
    int32s_store(&header->animation.frame_count, 1, false, end);
    fwrite(bytes, 1, sizeof bytes, file);
}

static void mdd_begin(FILE *file, const Dataset *header)
{
    const double fps = header->fps > 0.0 ? header->fps : FPS;
    const int32_t counts[] = {header->animation.frame_count, header->mesh.vertex_count};
    unsigned char bytes[MDD_HEADER_BYTES];
    int32s_store(counts, 2, true, bytes);
    fwrite(bytes, 1, sizeof bytes, file);
    for (int f = 0; f < header->animation.frame_count; f++) {
        floats_store(&(float){(float)(f / fps)}, 1, true, bytes);
        fwrite(bytes, 1, sizeof(float), file);
    }
}

Status pc2_export(const ExportOptions *options)
{
    return frame_array_export(options, pc2_begin, false);
}

Status mdd_export(const ExportOptions *options)
{
    return frame_array_export(options, mdd_begin, true);
}
