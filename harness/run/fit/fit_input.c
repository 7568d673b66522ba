/* Opens the animation of a fit, and respects the memory bound if one is given. */
#include "harness/run/fit/fit_input.h"

#include "datasets/formats/formats.h"

/* Memory that the program and its libraries need without any data. */
static const double PROGRAM_BYTES = 0x1p26;

static Status memory_bound(const char *path, size_t memory, bool is_external, const FitTask *task,
                           const Dataset *header)
{
    const DecompositionMethod *method = task->method;
    if (is_external || task->holdout > 0 || !method->reads_blocks)
        return bad_usage(
            "--memory does not work with %s%s, because that needs the whole animation in memory; it "
            "works with coordinate-descent and svd",
            is_external || !method->reads_blocks ? method->name : "",
            is_external || !method->reads_blocks ? "" : "--holdout");
    /* Returns a lower bound of the memory of a fit. A fit stores the mesh. For each vertex it also stores
     * reduced coordinates (in a random subspace for long animations), the unknowns and a copy of them, and
     * the prediction by each bone. */
    const double vertices = header->mesh.vertex_count, bones = task->options.bones,
                 dimensions = header->animation.frame_count > 500 && vertices > 1500 ? 64.0 : 8.0;
    const double mesh = 12.0 * (vertices + header->mesh.triangle_count), frame = 12.0 * vertices;
    const double unknowns =
        task->method->makes_rig ? 120.0 + 24.0 * task->options.influences + 32.0 * bones : 4.0 * bones;
    const double min = PROGRAM_BYTES + mesh + frame + vertices * (8.0 * dimensions + unknowns);
    if ((double)memory < min)
        return status_make(
            STATUS_SYSTEM,
            "%s: --memory is %.0f MB, but a fit of %d vertices with %d bones will need at least %.0f MB",
            path, (double)memory * 0x1p-20, header->mesh.vertex_count, task->options.bones,
            ceil(min * 0x1p-20));
    memory_promise(memory, (size_t)PROGRAM_BYTES);
    return status_ok();
}

/* Opens the animation and reads its first frame. Without a memory bound, also reads all frames of the
 * vertices that belong to this rank. */
static Status share_open(const char *path, size_t memory, bool is_external, const Progress *progress,
                         const FitTask *task, FitInput *input)
{
    if (ranks_are_many(task->ranks) && (is_external || task->holdout > 0 || task->error > 0.0))
        return bad_usage("--%s does not work if a fit is shared by several processes (mpirun)",
                         is_external         ? "external"
                         : task->holdout > 0 ? "holdout"
                                             : "error");
    STATUS_TRY(dataset_open(path, progress, &input->reader, &input->header));
    if (memory > 0)
        STATUS_TRY(memory_bound(path, memory, is_external, task, input->header));
    const int vertices = input->header->mesh.vertex_count, frames = input->header->animation.frame_count;
    const VertexShare share = ranks_share(task->ranks, vertices);
    input->slab.frame_count = frames;
    if (frames < 1)
        return status_ok();
    ALLOCATE_TABLE(input->first_frame, vertices, 3, "this process's part of the animation");
    if (memory == 0)
        ALLOCATE_TABLE(input->slab.positions, frames, 3 * (size_t)share.count,
                       "this process's part of the animation");
    STATUS_TRY(dataset_read_frames(input->reader, 0, 1, input->first_frame));
    input->blocks = dataset_reader_positions(input->reader, share.first);
    input->slab.source = &input->blocks;
    if (share.count > 0 && memory == 0)
        STATUS_TRY(dataset_read_vertices(input->reader, share.first, share.count, input->slab.positions));
    return status_ok();
}

Status fit_input_open(const char *path, size_t memory, bool is_external, const Progress *progress,
                      FitTask *task, FitInput *input)
{
    if (ranks_are_many(task->ranks) || memory > 0) {
        STATUS_TRY(share_open(path, memory, is_external, progress, task, input));
    } else {
        const Status status = dataset_load(path, progress, &input->source);
        if (status.code == STATUS_SYSTEM && task->method->reads_blocks && strstr(status.text, "memory"))
            return status_make(status.code, "%s; the option --memory SIZE reads the animation in blocks",
                               status.text);
        STATUS_TRY(status);
        input->header = input->source;
    }
    task->mesh = &input->header->mesh;
    task->animation = input->source ? &input->source->animation : &input->slab;
    task->first_frame = input->first_frame;
    return status_ok();
}

void fit_input_close(FitInput *input)
{
    dataset_free(input->source);
    dataset_reader_close(input->reader);
    animation_clear(&input->slab);
    memory_free(input->first_frame);
    *input = (FitInput){.source = NULL};
}
