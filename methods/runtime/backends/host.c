/* Runs a kernel on the processor: stores palettes, skins the vertices chunk by chunk and frame by frame,
 * and brings results into file order. Everything is in one file because all stages share the private struct
 * Host. */
#include "methods/runtime/backends/host.h"

#include "methods/runtime/backends/host_tiles.h"

#include <omp.h>

/* Numbers of vertices and frames that a thread skins together. They are small enough that the results stay
 * in the first-level cache until they have been copied to file order. */
enum { CHUNK_VERTICES = 1024, GROUP_FRAMES = 16 };

/* Prefetching pays if the results have more bytes than this. The limit is doubled if points are scattered,
 * because each point then uses a cache line. */
static const size_t FAR_BYTES = 2 << 20;

/* Maximum size in bytes of the rows of a frame (Host.rows). Frames with larger rows do without them,
 * because rows must stay in the cache. */
static const size_t ROWS_BYTES = 1 << 20;

/* Workspaces of a chunk: results in the order of lanes, and results of the first phase. */
enum { SCRATCH_RESULTS, SCRATCH_SCALED, SCRATCH_COUNT };

typedef struct Host {
    const HostKernel *kernel;
    bool is_double; /* whether reals are doubles instead of floats */
    int threads;
    bool normals;
    int components;                             /* components per point: 3, or 6 with normals */
    size_t joint_reals, set_reals, first_reals; /* number of reals per frame */
    const JointSets *sets;
    HostTiles tiles;
    void *parameters;
    int frame_count,
        frames_reserved; /* number of posed frames, and number of frames for which memory is allocated */
    void *joint_values, *set_values; /* per frame */
    uint8_t *set_variants;           /* [frame][S] */
    void *out;                       /* results in the order of lanes; NULL until they are needed */
    int frames_kept;                 /* number of frames in `out` */
    void *scratch;                   /* [thread][SCRATCH_COUNT][chunk_reals] */
    /* Points of a frame in the order of lanes, used for small meshes whose vertices are not in the order of
     * joint sets. The points are then gathered into file order with consecutive stores, one per point. */
    float *rows;        /* [thread][positions, normals][lane_count][ROW_REALS]; NULL if not used */
    int32_t *point_row; /* [N] index of each point's row, in file order */
    /* Kernel of the first phase of two-phase skinning. Its result is the rest pose of the second phase. */
    const HostKernel *first_kernel;
    bool two_phase;
    void *first_values; /* matrices of the first phase, 12 values per joint, stored like joint_values */
    const SkinningMethod *method;
    int64_t
        *misread; /* [1] first misread of the reference kernel (HostTask.misread), shared by all threads */
} Host;

/* Returns the number of reals in the results of `lanes` lanes. */
static size_t result_reals(const Host *host, int64_t lanes)
{
    return (size_t)lanes * (size_t)host->components;
}

static void host_release(void *state)
{
    Host *host = state;
    if (!host)
        return;
    host_tiles_clear(&host->tiles);
    FREE_ALL(host->parameters, host->joint_values, host->set_values, host->set_variants, host->out,
             host->first_values, host->scratch, host->rows, host->point_row, host->misread, host);
}
DEFINE_OWNED_BY(Host, host_release)

/* Returns the first phase's kernel, compiled in the same flavour as the second phase's kernel. */
static const HostKernel *first_phase_kernel(const BackendBinding *binding, const HostKernel *kernel)
{
    const SkinningEntry *first = binding->first_phase;
    if (!first || kernel == binding->entry->reference)
        return first ? first->reference : NULL;
    if (kernel == binding->entry->scalar)
        return first->scalar;
    for (int i = 0; first->simd[i]; i++)
        if (strcmp(first->simd[i]->level, kernel->level) == 0)
            return first->simd[i];
    return NULL;
}

/* Returns the number of reals in the rows of a frame. */
static size_t rows_reals(const Host *host)
{
    return (size_t)host->tiles.lane_count * ROW_REALS * (host->normals ? 2 : 1);
}

static Status rows_reserve(Host *host)
{
    const int turned = host->kernel->row_lanes;
    bool straight = true;
    for (int i = 0; i < host->tiles.chunk_count; i++)
        straight = straight && host->tiles.chunks[i].contiguous;
    if (turned == 0 || straight || rows_reals(host) * sizeof *host->rows > ROWS_BYTES)
        return status_ok();
    ALLOCATE_TABLE(host->rows, host->threads, rows_reals(host), "the points of a frame");
    ALLOCATE(host->point_row, host->sets->vertex_count, "the points of a frame");
    const int32_t *vertex = host->sets->vertices;
    for (int block = 0; block * host->tiles.lanes < host->tiles.lane_count; block++)
        for (int i = 0; i < host->tiles.block_vertices[block]; i++)
            host->point_row[*vertex++] =
                block * host->tiles.lanes + i - i % turned + turned_row(i % turned, turned);
    return status_ok();
}

Status host_create(const BackendBinding *binding, const HostKernel *kernel, void **state)
{
    const bool is_double = binding->backend->double_precision;
    const SkinningMethod *method = binding->entry->method;
    OWNED_BY(host_release) Host *host = NULL;
    ALLOCATE(host, 1, "a backend");
    ALLOCATE(host->misread, 1, "a backend");
    host->kernel = kernel;
    host->method = method;
    host->first_kernel = first_phase_kernel(binding, kernel);
    host->is_double = is_double;
    host->threads = binding->threads;
    host->normals = binding->normals != NULL;
    host->components = host->normals ? 6 : 3;
    host->sets = binding->sets;
    host->joint_reals = (size_t)binding->joint_count * (size_t)method->floats_per_joint;
    host->set_reals = (size_t)host->sets->set_count * (size_t)method->floats_per_set;
    host->first_reals = (size_t)binding->joint_count * FIRST_VALUES_PER_JOINT;
    const HostTilesPlan plan = {
        .lanes = kernel->lanes,
        .is_double = is_double,
        .counted_loops = kernel->lanes > 1,
        .joints_max = kernel->block_joints,
        .mixed_set_joints = kernel->mixed_set_joints,
        .chunk_vertices = CHUNK_VERTICES,
    };
    STATUS_TRY(host_tiles_init(binding, &plan, &host->tiles));
    host->scratch =
        memory_table((size_t)host->threads, SCRATCH_COUNT * result_reals(host, host->tiles.chunk_lanes),
                     real_size(is_double));
    host->parameters = memory_array(PARAMETERS_MAX, real_size(is_double));
    ALLOCATED(host->parameters && host->scratch, "the parameters");
    for (int i = 0; method->parameters && method->parameters[i].name; i++)
        real_store(host->is_double, host->parameters, (size_t)i, binding->parameters[i]);
    STATUS_TRY(rows_reserve(host));
    *state = TAKE(host);
    return status_ok();
}

static Status host_reserve(void *state, int frame_count, bool two_phase)
{
    Host *host = state;
    host->frame_count = 0;
    if (frame_count > host->frames_reserved || two_phase != host->two_phase) {
        const size_t frames = (size_t)frame_count, bytes = real_size(host->is_double);
        host->frames_reserved = 0;
        FREE_ALL(host->joint_values, host->set_values, host->set_variants, host->first_values);
        host->joint_values = memory_table(frames, host->joint_reals, bytes);
        host->set_values = memory_table(frames, host->set_reals, bytes);
        host->set_variants = memory_table(frames, (size_t)host->sets->set_count, 1);
        host->first_values = memory_table(two_phase ? frames : 0, host->first_reals, bytes);
        ALLOCATED(host->joint_values && host->set_values && host->set_variants && host->first_values,
                  "the posed frames");
        host->two_phase = two_phase;
        host->frames_reserved = frame_count;
    }
    host->frame_count = frame_count;
    return status_ok();
}

WIDEST_VECTORS
static void floats_store(const double *values, size_t count, float *out)
{
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        out[i] = (float)values[i];
}

/* Stores `count` values of a frame in `array`, converted to its type. */
static void values_store(const Host *host, void *array, int frame, size_t count, const double *values)
{
    if (host->is_double)
        memcpy((double *)array + (size_t)frame * count, values, count * sizeof *values);
    else
        floats_store(values, count, (float *)array + (size_t)frame * count);
}

static float *host_set_floats(void *state, int frame)
{
    const Host *host = state;
    return host->is_double ? NULL : (float *)host->set_values + (size_t)frame * host->set_reals;
}

static void host_pose(void *state, int frame, const PosedFrame *posed)
{
    Host *host = state;
    size_t set_count = (size_t)host->sets->set_count;
    values_store(host, host->joint_values, frame, host->joint_reals, posed->joint_values);
    if (posed->set_values)
        values_store(host, host->set_values, frame, host->set_reals, posed->set_values);
    memcpy(host->set_variants + (size_t)frame * set_count, posed->set_variants, set_count);
    if (host->two_phase)
        values_store(host, host->first_values, frame, host->first_reals, posed->first_values);
}

/* Returns the variants [S] of a frame, or NULL if every set of the chunk has variant 0. */
WIDEST_VECTORS
static const uint8_t *chunk_variants(const uint8_t *variants, const HostChunk *chunk)
{
    unsigned any = 0;
    for (int set = chunk->first_set; set < chunk->first_set + chunk->set_count; set++)
        any |= variants[set];
    return any ? variants : NULL;
}

/* Returns the task that skins all runs of a chunk in one frame. */
static HostTask task_of(const Host *host, int frame, const HostChunk *chunk, void *out)
{
    const size_t sets = (size_t)host->sets->set_count, index = (size_t)frame;
    return (HostTask){
        .runs = host->tiles.runs + chunk->first_run,
        .run_count = chunk->run_count,
        .blocks = host->tiles.blocks,
        .values_per_vertex = host->tiles.values_per_vertex,
        .values_per_influence = host->tiles.values_per_influence,
        .values_per_joint = host->method->floats_per_joint,
        .values_per_set = host->method->floats_per_set,
        .parameter_count = parameters_count(host->method->parameters),
        .misread = host->misread,
        .normals = host->normals,
        .data = host->tiles.data,
        .joints = host->tiles.joints,
        .joint_values = real_at(host->is_double, host->joint_values, index * host->joint_reals),
        .set_values = real_at(host->is_double, host->set_values, index * host->set_reals),
        .set_vertices = host->sets->first_vertex,
        .first_vertex = chunk->first_vertex,
        .set_variants = chunk_variants(host->set_variants + index * sets, chunk),
        .parameters = host->parameters,
        .out = out,
        .frames = 1,
        .joint_step = host->joint_reals,
        .set_step = host->set_reals,
    };
}

/* Returns the task of the first phase, which writes the scaled rest pose to `out`. Its data still contain
 * the values per vertex, although only the second phase reads them. */
static HostTask first_phase_of(const Host *host, int frame, const HostTask *task, void *out)
{
    static const double defaults[PARAMETERS_MAX]; /* zeros; the bits of 0 are the same in double and float */
    HostTask first = *task;
    first.values_per_joint = FIRST_VALUES_PER_JOINT;
    first.joint_values = real_at(host->is_double, host->first_values, (size_t)frame * host->first_reals);
    first.set_variants = NULL;
    first.parameters = defaults; /* the first phase has no parameters of its own; the task's parameters belong
                                    to the second phase */
    first.parameter_count = PARAMETERS_MAX;
    first.out = out;
    return first;
}

/* Returns how many consecutive frames, starting with `frame`, one call of the kernel can skin. The result
 * is at most `max`. */
static int frames_at_once(const Host *host, int frame, int max, const HostChunk *chunk)
{
    const size_t sets = (size_t)host->sets->set_count;
    int count = 0;
    while (count < max && !host->two_phase &&
           !chunk_variants(host->set_variants + (size_t)(frame + count) * sets, chunk))
        count++;
    return count > 0 ? count : 1;
}

/* Skins a chunk in `frames` frames. The results go through the workspace `out` to `rows`. If `rows` is
 * NULL, skins a single frame and leaves the results in `out`. `scaled` is workspace of the same size. */
static void chunk_skin(const Host *host, int frame, const HostChunk *chunk, void *out, void *scaled,
                       const HostRows *rows, int frames)
{
    HostTask task = task_of(host, frame, chunk, out);
    if (host->two_phase) {
        HostTask first = first_phase_of(host, frame, &task, scaled);
        host->first_kernel->skin(&first);
        task.scaled = scaled;
    }
    task.rows = rows;
    task.positions = rows ? rows->positions : NULL;
    task.normals_out = rows ? rows->normals_out : NULL;
    task.frames = frames;
    host->kernel->skin(&task);
}

/* Scratch memory of the calling thread. */
static void *scratch_of(const Host *host, int which)
{
    return (char *)host->scratch + (SCRATCH_COUNT * (size_t)omp_get_thread_num() + (size_t)which) *
                                       result_reals(host, host->tiles.chunk_lanes) *
                                       real_size(host->is_double);
}

/* Returns where the results of a chunk in a frame are stored. */
static void *results_of(const Host *host, int frame, const HostChunk *chunk)
{
    const int64_t lane = (int64_t)frame * host->tiles.lane_count + chunk->first_block * host->tiles.lanes;
    return (char *)host->out + result_reals(host, lane) * real_size(host->is_double);
}

/* Describes the copy of a chunk's results to the target's points in file order. */
static HostRows rows_of(const Host *host, const HostChunk *chunk, const void *results,
                        const SkinTarget *target)
{
    return (HostRows){
        .results = results,
        .normals = host->normals,
        .vertices = target->vertices + chunk->first_vertex,
        .vertex_count = chunk->vertex_count,
        .block_vertices = host->tiles.block_vertices + chunk->first_block,
        .contiguous = chunk->contiguous,
        .frame_reals = 3 * (size_t)host->sets->vertex_count,
        .doubles = target->positions_double || target->normals_double,
        .positions = target->positions ? (void *)target->positions : (void *)target->positions_double,
        .normals_out = target->normals ? (void *)target->normals : (void *)target->normals_double,
    };
}

static Status host_skin(void *state)
{
    Host *host = state;
    const int frames = host->frame_count;
    if (frames > host->frames_kept) {
        memory_free(host->out);
        host->frames_kept = 0;
        host->out = memory_table((size_t)frames, result_reals(host, host->tiles.lane_count),
                                 real_size(host->is_double));
        ALLOCATED(host->out, "the skinned frames");
        host->frames_kept = frames;
    }
    /* the inner loop is over frames, so that rest pose and weights of a chunk stay in the cache */
    const int64_t items = (int64_t)frames * host->tiles.chunk_count;
#pragma omp parallel for schedule(static) num_threads(host->threads) if (host->threads > 1)
    for (int64_t item = 0; item < items; item++) {
        const HostChunk *chunk = &host->tiles.chunks[item / frames];
        const int frame = (int)(item % frames);
        chunk_skin(host, frame, chunk, results_of(host, frame, chunk), scratch_of(host, SCRATCH_SCALED), NULL,
                   1);
    }
    return kernel_misread_status(host->method, *host->misread);
}

/* Returns whether results are gathered through rows. This requires at least as many frames as threads,
 * because each thread then skins a whole frame. */
static bool gathers(const Host *host)
{
    return host->rows && host->frame_count >= host->threads;
}

static double host_straight(const void *state)
{
    const Host *host = state;
    double contiguous = 0.0;
    for (int i = 0; i < host->tiles.chunk_count && !gathers(host); i++)
        contiguous += host->tiles.chunks[i].contiguous ? host->tiles.chunks[i].vertex_count : 0;
    return contiguous / int_max(host->sets->vertex_count, 1);
}

/* Packs the rows of a frame into points. Each store overwrites the fourth float of the previous store; the
 * last point is stored without a fourth float. */
static void points_from_rows(const Host *host, const float *restrict rows, float *restrict points)
{
    enum { AT_ONCE = 4 };
    const int32_t *const point_row = host->point_row;
    const int count = host->sets->vertex_count;
    int i = 0;
    for (; i + AT_ONCE < count; i += AT_ONCE) {
        float copies[AT_ONCE][ROW_REALS];
        for (int k = 0; k < AT_ONCE; k++)
            memcpy(copies[k], rows + ROW_REALS * (ptrdiff_t)point_row[i + k], sizeof copies[k]);
        for (int k = 0; k < AT_ONCE; k++)
            memcpy(points + 3 * (ptrdiff_t)(i + k), copies[k], sizeof copies[k]);
    }
    for (; i < count; i++)
        memcpy(points + 3 * (ptrdiff_t)i, rows + ROW_REALS * (ptrdiff_t)point_row[i], 3 * sizeof *points);
}

/* Skins a frame through the rows of the calling thread. */
static void frame_gather(const Host *host, int frame, const SkinTarget *target)
{
    const size_t first = 3 * (size_t)frame * (size_t)host->sets->vertex_count;
    float *const positions = host->rows + (size_t)omp_get_thread_num() * rows_reals(host);
    float *const normals = target->normals ? positions + ROW_REALS * host->tiles.lane_count : NULL;
    for (int i = 0; i < host->tiles.chunk_count; i++) {
        const HostChunk *chunk = &host->tiles.chunks[i];
        const int64_t lane = chunk->first_block * host->tiles.lanes;
        const HostRows rows = {.by_lane = true,
                               .positions = positions + ROW_REALS * lane,
                               .normals_out = normals ? normals + ROW_REALS * lane : NULL};
        chunk_skin(host, frame, chunk, scratch_of(host, SCRATCH_RESULTS), scratch_of(host, SCRATCH_SCALED),
                   &rows, 1);
    }
    points_from_rows(host, positions, target->positions + first);
    if (normals)
        points_from_rows(host, normals, target->normals + first);
}

static Status host_skin_frames(void *state, const SkinTarget *target)
{
    const Host *host = state;
    const int frames = host->frame_count;
    const bool straight_to_rows = host->kernel->lanes > 1;
    const size_t frame_reals = 3 * (size_t)host->sets->vertex_count;
    const size_t result_bytes = (size_t)frames * result_reals(host, host->sets->vertex_count) * sizeof(float);
    const int groups = (frames + GROUP_FRAMES - 1) / GROUP_FRAMES;
    const bool gather = gathers(host);
    const int64_t items = gather ? frames : (int64_t)groups * host->tiles.chunk_count;
#pragma omp parallel for schedule(static) num_threads(host->threads) if (host->threads > 1)
    for (int64_t item = 0; item < items; item++) {
        if (gather) {
            frame_gather(host, (int)item, target);
            continue;
        }
        const HostChunk *chunk = &host->tiles.chunks[item / groups];
        const int first_frame = (int)(item % groups) * GROUP_FRAMES;
        const int end = int_min(first_frame + GROUP_FRAMES, frames);
        void *results = scratch_of(host, SCRATCH_RESULTS);
        void *scaled = scratch_of(host, SCRATCH_SCALED);
        for (int frame = first_frame, at_once; frame < end; frame += at_once) {
            const size_t first = (size_t)frame * frame_reals;
            const SkinTarget chunk_target = {.vertices = target->vertices,
                                             .positions = target->positions + first,
                                             .normals = target->normals ? target->normals + first : NULL};
            HostRows rows = rows_of(host, chunk, results, &chunk_target);
            rows.fetch = result_bytes > (chunk->contiguous ? 1 : 2) * FAR_BYTES;
            at_once = 1;
            if (straight_to_rows) {
                at_once = frames_at_once(host, frame, end - frame, chunk);
                chunk_skin(host, frame, chunk, results, scaled, &rows, at_once);
            } else {
                chunk_skin(host, frame, chunk, results, scaled, NULL, 1);
                host->kernel->rows(&rows);
            }
        }
    }
    return status_ok();
}

static Status host_read(void *state, int frame, const SkinTarget *target)
{
    const Host *host = state;
#pragma omp parallel for schedule(static) num_threads(host->threads) if (host->threads > 1)
    for (int i = 0; i < host->tiles.chunk_count; i++) {
        const HostChunk *chunk = &host->tiles.chunks[i];
        const HostRows rows = rows_of(host, chunk, results_of(host, frame, chunk), target);
        host->kernel->rows(&rows);
    }
    return status_ok();
}

static bool host_tiling(const void *state, KernelTiling *out)
{
    const Host *host = state;
    const HostTiles *tiles = &host->tiles;
    const HostChunk *last = tiles->chunk_count > 0 ? &tiles->chunks[tiles->chunk_count - 1] : NULL;
    *out = (KernelTiling){.runs = tiles->runs,
                          .run_count = last ? last->first_run + last->run_count : 0,
                          .blocks = tiles->blocks,
                          .joints = host->tiles.joints,
                          .level = host->kernel->level,
                          .lanes = host->kernel->lanes};
    return !host->is_double;
}

const BackendFunctions host_functions = {.release = host_release,
                                         .reserve = host_reserve,
                                         .set_floats = host_set_floats,
                                         .pose = host_pose,
                                         .skin = host_skin,
                                         .read = host_read,
                                         .skin_frames = host_skin_frames,
                                         .straight = host_straight,
                                         .tiling = host_tiling};
