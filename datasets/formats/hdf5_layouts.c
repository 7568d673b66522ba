/* Imports two kinds of HDF5 files that contain sequences of scans with the same vertices and faces.
 *
 *   SPLOCS (Neumann et al. 2013):        verts [F,N,3] and tris [T,3]
 *   Dynamic FAUST (Bogo et al. 2017):    faces [T,3], and an array [N,3,F] named after each sequence */
#include "datasets/formats/frame_array.h"

#include "datasets/formats/formats.h"
#include "datasets/io/hdf5_reader.h"

/* An array of frames. Several arrays may be imported one after another. */
typedef struct Clip {
    char *object;
    int first, frame_count; /* first: index of the array's first frame in the whole animation */
} Clip;

typedef struct SequenceLayout {
    Hdf5Reader *file;
    Clip *clips; /* [clip_count] */
    int clip_count, vertex_count;
    bool frames_last;
} SequenceLayout;

static Status layout_read(const FrameArray *array, int first, int count, float *positions)
{
    const SequenceLayout *layout = array->context;
    const int vertices = layout->vertex_count;
    for (int i = 0; i < layout->clip_count && count > 0; i++) {
        const Clip *clip = &layout->clips[i];
        const int start = first - clip->first, part = int_min(count, clip->frame_count - start);
        if (part <= 0)
            continue;
        if (!layout->frames_last)
            STATUS_TRY(hdf5_reader_block(layout->file, clip->object, ARRAY_FLOAT32,
                                         (Hdf5Shape){3, {start, 0, 0}}, (Hdf5Shape){3, {part, vertices, 3}},
                                         positions));
        if (layout->frames_last) {
            LOCAL_TABLE(float, values, 3 * (size_t)vertices, part, "frames");
            STATUS_TRY(hdf5_reader_block(layout->file, clip->object, ARRAY_FLOAT32,
                                         (Hdf5Shape){3, {0, 0, start}}, (Hdf5Shape){3, {vertices, 3, part}},
                                         values));
            frames_transpose(values, 3 * (size_t)vertices, part, positions);
        }
        positions += 3 * (size_t)vertices * (size_t)part;
        first += part;
        count -= part;
    }
    return status_ok();
}

static Status faces_read(Hdf5Reader *file, const char *object, FrameArray *array)
{
    Hdf5Shape shape = {2, {-1, 3}};
    STATUS_TRY(hdf5_reader_shape(file, object, ARRAY_INT32, shape, STORE_VERTICES_MAX, &shape));
    ALLOCATE_TABLE(array->triangles, shape.extents[0], 3, "triangles");
    array->triangle_count = (int)shape.extents[0];
    return hdf5_reader_block(file, object, ARRAY_INT32, (Hdf5Shape){2, {0, 0}}, shape, array->triangles);
}

/* Adds a sequence. STATUS_BAD_INPUT if its vertex count differs from that of the first sequence. */
static Status sequence_add(SequenceLayout *layout, const char *object, const ImportOptions *options,
                           FrameArray *array)
{
    const bool last = layout->frames_last, known = layout->clip_count > 0;
    const int64_t vertices = known ? layout->vertex_count : -1;
    Hdf5Shape shape = last ? (Hdf5Shape){3, {vertices, 3, -1}} : (Hdf5Shape){3, {-1, vertices, 3}};
    STATUS_TRY(hdf5_reader_shape(layout->file, object, ARRAY_FLOAT32, shape, STORE_VERTICES_MAX, &shape));
    GROW(layout->clips, layout->clip_count, "clips");
    layout->clips[layout->clip_count] = (Clip){.object = memory_text(object),
                                               .first = array->frame_count,
                                               .frame_count = (int)shape.extents[last ? 2 : 0]};
    ALLOCATED(layout->clips[layout->clip_count].object, "clips");
    Status status =
        frame_array_counts(array, (int64_t)array->frame_count + layout->clips[layout->clip_count].frame_count,
                           shape.extents[last ? 0 : 1]);
    layout->vertex_count = array->vertex_count;
    if (last)
        format_note(options->notes, "clip %s: frames %d to %d", object,
                    layout->clips[layout->clip_count].first, array->frame_count - 1);
    layout->clip_count++;
    return status;
}

static void layout_close(SequenceLayout *layout)
{
    for (int i = 0; i < layout->clip_count; i++)
        memory_free(layout->clips[i].object);
    memory_free(layout->clips);
    hdf5_reader_close(layout->file);
}

static Status alone_check(const ImportOptions *options)
{
    return options->input_count == 1
               ? status_ok()
               : bad_usage("%s: an HDF5 file must be the only input", options->inputs[1]);
}

Status splocs_import(const ImportOptions *options, const char *output)
{
    CLEANUP(layout_close) SequenceLayout layout = {0};
    CLEANUP(frame_array_clear)
    FrameArray array = {.place = options->inputs[0], .read = layout_read, .context = &layout};
    STATUS_TRY(alone_check(options));
    STATUS_TRY(hdf5_reader_open(options->inputs[0], options->progress, &layout.file));
    STATUS_TRY(sequence_add(&layout, "verts", options, &array));
    STATUS_TRY(faces_read(layout.file, "tris", &array));
    return frame_array_import(&array, options, output);
}

Status dfaust_import(const ImportOptions *options, const char *output)
{
    CLEANUP(layout_close) SequenceLayout layout = {.frames_last = true};
    CLEANUP(frame_array_clear)
    FrameArray array = {.place = options->inputs[0],
                        .fps = 60.0, /* the scanner's */
                        .read = layout_read,
                        .context = &layout};
    CLEANUP(hdf5_names_clear) Hdf5Names names = {0};
    STATUS_TRY(alone_check(options));
    STATUS_TRY(hdf5_reader_open(options->inputs[0], options->progress, &layout.file));
    STATUS_TRY(hdf5_reader_names(layout.file, "", &names));
    STATUS_TRY(faces_read(layout.file, "faces", &array));
    for (int i = 0; i < names.count; i++)
        if (strcmp(names.names[i], "faces") != 0 &&
            (!options->clip || strcmp(names.names[i], options->clip) == 0))
            STATUS_TRY(sequence_add(&layout, names.names[i], options, &array));
    if (layout.clip_count == 0)
        return bad_input("%s: has no sequence%s%s; it has %d sequences, the first is %s", options->inputs[0],
                         options->clip ? " " : "", options->clip ? options->clip : "", names.count - 1,
                         names.count > 1 ? names.names[strcmp(names.names[0], "faces") == 0] : "none");
    return frame_array_import(&array, options, output);
}

/* Whether a file is HDF5 and contains `object`, but not the mesh of a data set. */
static bool holds(const FormatSample *sample, const char *object)
{
    OWNED_BY(hdf5_reader_close) Hdf5Reader *file = NULL;
    bool found = false, excluded = true;
    return strcmp(sample->path, sample->name) == 0 &&
           hdf5_reader_open(sample->path, NULL, &file).code == STATUS_OK &&
           hdf5_reader_find(file, object, &found).code == STATUS_OK &&
           hdf5_reader_find(file, "mesh", &excluded).code == STATUS_OK && found && !excluded;
}

bool splocs_recognise(const FormatSample *sample)
{
    return holds(sample, "verts");
}

bool dfaust_recognise(const FormatSample *sample)
{
    return holds(sample, "faces");
}
