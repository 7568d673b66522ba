/* skinbench skin FILE --method M --backend B -o OUT: skins the frames of a rig in blocks, so that only the
 * rig and one block are in memory. A block has 32 MB of positions, or 16 frames if the mesh is large
 * (skinner_block_frames). */
#include "harness/commands/commands.h"

#include "methods/registry.h"
#include "methods/runtime/skinner.h"

const CommandOption skin_options[] = {
    {"method", "DIRECT", "the direct method (`skinbench list methods`)"},
    {"backend", "BACKEND", "the backend that runs its kernel (`skinbench list backends`; default: simd)"},
    {"output", "FILE", "the data set file to write: the input with the skinned frames as its animation"},
    {"normals", NULL, "also skin and write normals"},
    {"two-phase", NULL,
     "apply the rig's scale and shear to the rest pose first, then skin (DQS 4.2); lbs always does"},
    {"counts", NULL, "print the method's counters per frame, such as SVDs or updates (slightly slower)"},
    {"simd-level", "LEVEL", "instruction-set level of the simd backends (default: the best of this machine)"},
    {NULL, NULL, NULL},
};

/* State while frames are read, skinned and written. */
typedef struct Stream {
    const char *path;
    const Dataset *input;
    Skinner *skinner;
    DatasetWriter *writer;
    const Ranks *ranks; /* the processes, which each skin a part of the frames; rank 0 writes all frames */
    int block;          /* number of frames that each rank skins per block */
    float *positions, *normals; /* [block][N][3]; on rank 0 the frames of the other ranks follow */
    double pose_s, skin_s, write_s;
    bool counted;                             /* whether --counts is given */
    double counts[SKINNING_COUNTERS_MAX];     /* sum of each counter over the frames */
    double counts_max[SKINNING_COUNTERS_MAX]; /* maximum of each counter over the frames */
} Stream;

static Status skinner_options_read(const CommandLine *line, SkinnerOptions *skinner, const char **output)
{
    const char *name = NULL, *backend = command_line_value(line, "backend");
    STATUS_TRY(command_line_required(line, "method", &name));
    STATUS_TRY(command_line_output(line, output));
    STATUS_TRY(skinning_entry_named(name, &skinner->entry));
    skinner->backend = &backend_simd;
    if (backend)
        STATUS_TRY(backend_find(backend, &skinner->backend));
    const SkinningMethod *method = skinner->entry->method;
    STATUS_TRY(command_line_parameters(line, method->parameters, name, &skinner->parameters));
    skinner->simd_level = command_line_value(line, "simd-level");
    skinner->threads = line->threads;
    skinner->normals = command_line_flag(line, "normals");
    skinner->two_phase = command_line_flag(line, "two-phase");
    skinner->first_phase = skinning_first_phase();
    return status_ok();
}

static Status stream_allocate(Stream *stream, bool normals)
{
    const size_t vertices = (size_t)stream->input->mesh.vertex_count;
    stream->block = skinner_block_frames(stream->input->mesh.vertex_count);
    const size_t frames =
        (size_t)stream->block * (ranks_is_first(stream->ranks) ? (size_t)stream->ranks->count : 1);
    ALLOCATE_TABLE(stream->positions, frames, 3 * vertices, "a block of frames");
    if (normals)
        ALLOCATE_TABLE(stream->normals, frames, 3 * vertices, "a block of frames");
    return status_ok();
}

/* Skins `count` frames from index `first` on, divided among the ranks, and writes them. */
static Status stream_block(Stream *stream, int first, int count)
{
    const size_t frame_bytes = 3 * sizeof(float) * (size_t)stream->input->mesh.vertex_count;
    const VertexShare share = ranks_even_share(stream->ranks, count);
    if (share.count > 0) {
        /* pose and skin the frames of this rank */
        double begin = clock_now_s();
        STATUS_TRY(skinner_pose_frames(stream->skinner, first + share.first, share.count));
        double posed = clock_now_s();
        STATUS_TRY(skinner_skin_frames(stream->skinner, stream->positions, stream->normals));
        stream->pose_s += posed - begin;
        stream->skin_s += clock_now_s() - posed;
        if (stream->counted) {
            const Rig *rig = &stream->input->rig;
            for (int f = first + share.first; f < first + share.first + share.count; f++) {
                double counts[SKINNING_COUNTERS_MAX] = {0.0};
                STATUS_TRY(skinner_count(stream->skinner, rig->transforms + (ptrdiff_t)f * rig->joint_count,
                                         counts));
                for (int c = 0; c < SKINNING_COUNTERS_MAX; c++) {
                    stream->counts[c] += counts[c];
                    stream->counts_max[c] = fmax(counts[c], stream->counts_max[c]);
                }
            }
        }
    }
    const double skinned = clock_now_s();
    ranks_collect_even(stream->ranks, count, frame_bytes, stream->positions, stream->positions);
    if (stream->normals)
        ranks_collect_even(stream->ranks, count, frame_bytes, stream->normals, stream->normals);
    if (ranks_is_first(stream->ranks))
        STATUS_TRY(dataset_write_frames(stream->writer, count, stream->positions, stream->normals));
    stream->write_s += clock_now_s() - skinned;
    return status_ok();
}

static void stream_clear(Stream *stream)
{
    FREE_ALL(stream->positions, stream->normals);
    dataset_writer_abandon(stream->writer);
    skinner_free(stream->skinner);
}

Status skin_run(const CommandLine *line)
{
    SkinnerOptions skinner = {.entry = NULL};
    OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
    CLEANUP(stream_clear)
    Stream stream = {.path = command_line_argument(line, 0), .ranks = &line->launch.ranks};
    const char *path = stream.path, *output = NULL;
    OWNED_BY(free) char *json = NULL;
    STATUS_TRY(skinner_options_read(line, &skinner, &output));
    STATUS_TRY(dataset_open(path, &line->progress, &reader, &stream.input));
    if (stream.input->rig.joint_count == 0 || stream.input->rig.frame_count == 0)
        return bad_input("%s: there is no rig with transforms to skin with", path);
    const double begin = clock_now_s();
    const Status status = skinner_create(&skinner, &stream.input->mesh, &stream.input->rig, &stream.skinner);
    STATUS_TRY(status.code == STATUS_BAD_INPUT ? status_make(status.code, "%s: %s", path, status.text)
                                               : status);
    const double bind_s = clock_now_s() - begin;
    if (stream.input->rig.scale && !skinner.two_phase)
        output_note(line, "%s: the rig has scale (rig/scale), which %s applies only with --two-phase", path,
                    skinner.entry->method->name);
    if (skinner_note(stream.skinner)[0])
        output_note(line, "%s: %s: %s", path, skinner.entry->method->name, skinner_note(stream.skinner));
    stream.counted = command_line_flag(line, "counts");
    if (stream.counted && ranks_are_many(stream.ranks))
        return bad_usage("--counts does not work with several processes (mpirun)");
    if (stream.counted && stream.input->rig.scale)
        return bad_usage("%s: --counts does not work with a rig with scale", path);
    STATUS_TRY(stream_allocate(&stream, skinner.normals));
    /* Copy the input file except for the data that the writer receives later. */
    Dataset header = *stream.input;
    header.animation = (Animation){.frame_count = header.rig.frame_count};
    header.low_rank = (LowRank){0};
    if (ranks_is_first(stream.ranks))
        STATUS_TRY(dataset_writer_open(output, &header, skinner.normals, &stream.writer));
    const SkinningMethod *method = skinner.entry->method;
    const int frames = stream.input->rig.frame_count;
    const int block = stream.block * stream.ranks->count;
    for (int first = 0; first < frames; first += block) {
        int left = frames - first;
        STATUS_TRY(stream_block(&stream, first, int_min(left, block)));
        int done = left < block ? frames : first + block;
        if (!progress_report(&line->progress, "skinning", (double)done / frames))
            return status_make(STATUS_STOPPED, "stopped after %d frames; nothing is written", done);
    }
    if (!ranks_is_first(stream.ranks))
        return status_ok();
    if (line->json) {
        json_t *counts = json_object();
        for (int c = 0; stream.counted && c < method->counter_count; c++)
            json_set(counts, method->counters[c].name,
                     json_pack("{s:f, s:f}", "mean", stream.counts[c] / frames, "max", stream.counts_max[c]));
        STATUS_TRY(output_json_line(json_pack("{s:s, s:s, s:i, s:i, s:{s:f, s:f, s:f, s:f}, s:o}", "method",
                                              method->name, "backend", skinner.backend->name, "frames",
                                              frames, "vertices", stream.input->mesh.vertex_count, "timing",
                                              "bind_s", bind_s, "pose_s", stream.pose_s, "skin_s",
                                              stream.skin_s, "write_s", stream.write_s, "counts", counts),
                                    &json));
    }
    STATUS_TRY(dataset_writer_commit(TAKE(stream.writer)));
    /* print times, then the mean and maximum of each counter over the frames */
    output_note(line,
                "%d frames of %d vertices with %s on %s: bind %.3g s, pose %.3g s, skin %.3g s, write %.3g s",
                frames, stream.input->mesh.vertex_count, method->name, skinner.backend->name, bind_s,
                stream.pose_s, stream.skin_s, stream.write_s);
    for (int c = 0; stream.counted && c < method->counter_count; c++)
        output_note(line, "%s per frame: %.6g, at most %.6g (%s)", method->counters[c].name,
                    stream.counts[c] / frames, stream.counts_max[c], method->counters[c].meaning);
    if (json)
        puts(json);
    return status_ok();
}
