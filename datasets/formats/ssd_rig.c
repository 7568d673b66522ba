/* Imports rigs of smooth skinning decomposition in the format of Le and Deng's program (SSDR without the
 * rigid constraint). A file has the transformations of each bone in all frames, followed by the bones and
 * weights of each vertex. The mesh and its rest pose come from a data set. */
#include "datasets/formats/formats.h"

#include "datasets/formats/number_text.h"
#include "datasets/formats/sequence.h"

/* The transforms read so far, bone by bone. */
typedef struct SsdBones {
    Transform *transforms; /* [bone_count][frame_count] */
    int bone_count, frame_count;
} SsdBones;

static void bones_clear(SsdBones *bones)
{
    memory_free(bones->transforms);
}

/* Parses `*BONEANIMATION, BONEINDEX=b, NFRAMES=F` and the F transformations of bone b. */
static Status bone_parse(LineText *text, SsdBones *bones)
{
    int index = -1, frames = 0;
    /* Nine digits always fit into an int. */
    // NOLINTNEXTLINE(cert-err34-c)
    if (sscanf(text->next, "*BONEANIMATION, BONEINDEX=%9d, NFRAMES=%9d", &index, &frames) != 2 ||
        index != bones->bone_count || frames < 1 || index >= STORE_JOINTS_MAX ||
        (index > 0 && frames != bones->frame_count))
        return bad_input("%s:%d: expected bone %d, with as many frames as the other bones", text->place,
                         text->line, bones->bone_count);
    bones->frame_count = frames;
    line_text_step(text);
    for (int frame = 0; frame < frames; frame++) {
        const size_t count = (size_t)index * (size_t)frames + (size_t)frame;
        GROW(bones->transforms, count, "the bones");
        /* Each frame is written as its number and a 4 x 4 matrix, row by row. */
        Transform *out = &bones->transforms[count];
        int64_t printed = 0;
        double last[4];
        STATUS_TRY(line_text_find(text, "frame", frame + 1, frame + 1));
        STATUS_TRY(line_text_integer(text, "frame", frame, &printed));
        if (printed != frame)
            return bad_input("%s:%d: frame %d is numbered %lld", text->place, text->line, frame,
                             (long long)printed);
        for (int i = 0; i < 12; i++)
            STATUS_TRY(line_text_real(text, "frame", frame, &(&out->m00)[i]));
        for (int i = 0; i < 4; i++)
            STATUS_TRY(line_text_real(text, "frame", frame, &last[i]));
        if (last[0] != 0.0 || last[1] != 0.0 || last[2] != 0.0 || last[3] != 1.0)
            return bad_input("%s:%d: the last row of the matrix is not 0 0 0 1", text->place, text->line);
        line_text_step(text);
    }
    bones->bone_count++;
    return status_ok();
}

/* Parses the lines of the vertices. Each line has the number of the vertex, followed by pairs of bone and
 * weight. If `rig` is NULL, only finds the largest number of pairs of a vertex. */
static Status weights_parse(LineText text, const SsdBones *bones, int vertex_count, int *max, Rig *rig)
{
    for (int vertex = 0; vertex < vertex_count; vertex++) {
        int64_t number = 0;
        double sum = 0.0;
        int count = 0;
        STATUS_TRY(line_text_find(&text, "vertex", vertex + 1, vertex_count));
        STATUS_TRY(line_text_integer(&text, "vertex", vertex, &number));
        if (number != vertex)
            return bad_input("%s:%d: vertex %d is numbered %lld", text.place, text.line, vertex,
                             (long long)number);
        for (; !line_text_ends(&text); count++) {
            int64_t bone = 0;
            double weight = 0.0;
            STATUS_TRY(line_text_integer(&text, "vertex", vertex, &bone));
            STATUS_TRY(line_text_real(&text, "vertex", vertex, &weight));
            if (bone < 0 || bone >= bones->bone_count || weight < 0.0 || count == STORE_INFLUENCES_MAX)
                return bad_input("%s:%d: vertex %d has weight %g of bone %lld, but there are %d bones",
                                 text.place, text.line, vertex, weight, (long long)bone, bones->bone_count);
            sum += weight;
            if (rig) {
                rig->weight_joints[(size_t)vertex * (size_t)*max + (size_t)count] = (int32_t)bone;
                rig->weight_values[(size_t)vertex * (size_t)*max + (size_t)count] = (float)weight;
            }
        }
        if (!(sum > 0.0))
            return bad_input("%s:%d: vertex %d has no weights", text.place, text.line, vertex);
        for (int k = 0; rig && k < count; k++) { /* weights have six digits, so rounding changes their sum */
            float *value = &rig->weight_values[(size_t)vertex * (size_t)*max + (size_t)k];
            *value = (float)((double)*value / sum);
        }
        if (!rig && count > *max)
            *max = count;
        line_text_step(&text);
    }
    return status_ok();
}

/* Reads the text of the rig from a file, which may be compressed (.xz, .gz, ...). */
static Status rig_text_read(const char *path, SequenceText *out)
{
    OWNED_BY(archive_reader_close) ArchiveReader *reader = NULL;
    const char *member = NULL;
    if (!archive_path_packs_one(path))
        return sequence_text_read(path, out);
    STATUS_TRY(archive_reader_open(path, &reader));
    STATUS_TRY(archive_reader_next(reader, &member));
    if (!member)
        return bad_input("%s: is empty", path);
    COPY_TEXT(out->place, path, "a file name");
    return sequence_text_unpack(reader, out);
}

Status ssd_import(const ImportOptions *options, const char *output)
{
    CLEANUP(sequence_text_clear) SequenceText file = {0};
    CLEANUP(bones_clear) SsdBones bones = {0};
    OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
    const Dataset *source = NULL;
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    int vertices = 0;
    if (!options->mesh || options->input_count > 1)
        return bad_usage(
            "%s: expected exactly one input file, and --mesh with the sequence that contains its rest pose",
            options->inputs[0]);
    STATUS_TRY(rig_text_read(options->inputs[0], &file));
    STATUS_TRY(dataset_reader_open(options->mesh, options->progress, &reader, &source));
    STATUS_TRY(dataset_reader_restore_order(reader)); /* exports are in this order */
    LineText text = {
        .next = file.text, .end = file.text + file.length, .place = file.place, .line = 1, .comment = '#'};
    STATUS_TRY(line_text_find(&text, "object", 1, 1));
    if (strncmp(text.next, "*OBJFILENAME", 12) ==
        0) { /* skip the next line, which is a path on the author's machine */
        line_text_step(&text);
        STATUS_TRY(line_text_find(&text, "object", 1, 1));
        line_text_step(&text);
    }
    STATUS_TRY(line_text_find(&text, "bone", 1, 1));
    while (strncmp(text.next, "*BONEANIMATION", 14) == 0) {
        STATUS_TRY(bone_parse(&text, &bones));
        STATUS_TRY(line_text_find(&text, "part", bones.bone_count + 1, bones.bone_count + 1));
    }
    // NOLINTNEXTLINE(cert-err34-c)
    if (bones.bone_count == 0 || sscanf(text.next, "*VERTEXWEIGHTS, NVERTICES=%9d", &vertices) != 1)
        return bad_input("%s:%d: expected *BONEANIMATION or *VERTEXWEIGHTS", text.place, text.line);
    if (vertices != source->mesh.vertex_count)
        return bad_input("%s:%d: has %d vertices, but %s has %d", text.place, text.line, vertices,
                         source->name, source->mesh.vertex_count);
    line_text_step(&text);
    STATUS_TRY(format_dataset_create(options, &dataset));
    dataset->fps = options->fps > 0.0 ? options->fps : source->fps;
    /* assemble the mesh, weights and transforms */
    Rig *rig = &dataset->rig;
    const int frames = bones.frame_count;
    int max = 1;
    STATUS_TRY(mesh_copy(&source->mesh, &dataset->mesh));
    STATUS_TRY(weights_parse(text, &bones, vertices, &max, NULL));
    STATUS_TRY(rig_allocate(rig, vertices, bones.bone_count, frames, max));
    STATUS_TRY(weights_parse(text, &bones, vertices, &max, rig));
    STATUS_TRY(format_bones_name(rig));
    for (int bone = 0; bone < bones.bone_count; bone++)
        for (int frame = 0; frame < frames; frame++)
            rig->transforms[(size_t)frame * (size_t)bones.bone_count + (size_t)bone] =
                bones.transforms[(size_t)bone * (size_t)frames + (size_t)frame];
    return format_dataset_write(options, dataset, output);
}
