/* The backends that run on the processor: reference, scalar, simd (lanes are vertices) and simd-frames
 * (lanes are frames). They differ in which object of the kernel they call and in the layout of palettes
 * and results. */
#include "methods/runtime/backends/host_tiles.h"

#include "datasets/base/memory.h"

#include <stdio.h>
#include <string.h>

typedef struct Host {
    const HostKernel *kernel;
    bool wide;   /* reals are doubles */
    bool frames; /* lanes are frames */
    int threads;
    bool normals;
    int components; /* 3, or 6 with normals */
    int values_per_joint, values_per_set;
    int joint_count;
    const JointSets *sets;
    HostTiles tiles;
    void *parameters;
    int frame_count, frames_reserved; /* posed; there is memory for */
    void *joint_values, *set_values;  /* per frame, or per block of FRAME_LANES frames */
    uint8_t *set_variants;            /* [frame][S] */
    uint8_t *block_variants;          /* [block][S], the greatest of the block */
    void *out;
    /* Two-phase skinning: the result of the first phase's kernel is the second's rest pose. */
    const HostKernel *first_kernel;
    bool two_phase;
    void *first_values;      /* as joint_values, 12 per joint */
    uint8_t *first_variants; /* [S], all 0 */
    void *scaled;            /* as out */
} Host;

/* Frames, or blocks of frames, that `frame_count` frames take. */
static int passes_of(const Host *host, int frame_count)
{
    return host->frames ? (frame_count + FRAME_LANES - 1) / FRAME_LANES : frame_count;
}

static int lanes_of_pass(const Host *host)
{
    return host->frames ? FRAME_LANES : 1;
}

static void host_release(void *state)
{
    Host *host = state;
    if (!host)
        return;
    host_tiles_clear(&host->tiles);
    memory_free(host->parameters);
    memory_free(host->joint_values);
    memory_free(host->set_values);
    memory_free(host->set_variants);
    memory_free(host->block_variants);
    memory_free(host->out);
    memory_free(host->first_values);
    memory_free(host->first_variants);
    memory_free(host->scaled);
    memory_free(host);
}

/* The first phase's kernel in the flavour of the second's. */
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

static Status host_create(const BackendBinding *binding, const HostKernel *kernel, bool wide, bool frames,
                          void **state)
{
    const SkinningMethod *method = binding->entry->method;
    Status status = status_ok();
    Host *host = memory_array(1, sizeof *host);
    if (!host)
        return status_out_of_memory("a backend");
    host->kernel = kernel;
    host->first_kernel = first_phase_kernel(binding, kernel);
    host->wide = wide;
    host->frames = frames;
    host->threads = binding->threads;
    host->normals = binding->normals != NULL;
    host->components = host->normals ? 6 : 3;
    host->values_per_joint = method->floats_per_joint;
    host->values_per_set = method->floats_per_set;
    host->joint_count = binding->joint_count;
    host->sets = binding->sets;
    STATUS_TRY(host_tiles_make(binding, kernel->lanes, wide, &host->tiles));
    host->parameters = memory_array((size_t)method->parameter_count, real_size(wide));
    if (!host->parameters) {
        status = status_out_of_memory("the parameters");
        goto done;
    }
    for (int i = 0; i < method->parameter_count; i++)
        real_put(host->wide, host->parameters, (size_t)i, binding->parameters[i]);
done:
    if (status.code == STATUS_OK)
        *state = host;
    else
        host_release(host);
    return status;
}

/* Allocates the first phase of that many passes. */
static Status first_phase_reserve(Host *host, size_t passes, size_t rows)
{
    memory_free(host->first_values);
    memory_free(host->first_variants);
    memory_free(host->scaled);
    host->first_values = memory_table(passes * (size_t)lanes_of_pass(host), (size_t)host->joint_count,
                                      FIRST_VALUES_PER_JOINT * real_size(host->wide));
    host->first_variants = memory_array((size_t)host->sets->set_count, 1);
    host->scaled = memory_table(passes, rows, (size_t)host->components * real_size(host->wide));
    return host->first_values && host->first_variants && host->scaled
               ? status_ok()
               : status_out_of_memory("the first phase");
}

static Status host_reserve(void *state, int frame_count, bool two_phase)
{
    Host *host = state;
    host->frame_count = 0;
    if (frame_count > host->frames_reserved || two_phase != host->two_phase) {
        size_t passes = (size_t)passes_of(host, frame_count), lanes = (size_t)lanes_of_pass(host);
        size_t rows =
            host->frames ? (size_t)host->sets->vertex_count * lanes : (size_t)host->tiles.lane_count;
        size_t set_count = (size_t)host->sets->set_count;
        host->frames_reserved = 0;
        memory_free(host->joint_values);
        memory_free(host->set_values);
        memory_free(host->set_variants);
        memory_free(host->block_variants);
        memory_free(host->out);
        host->joint_values = memory_table(passes * lanes, (size_t)host->joint_count,
                                          (size_t)host->values_per_joint * real_size(host->wide));
        host->set_values =
            memory_table(passes * lanes, set_count, (size_t)host->values_per_set * real_size(host->wide));
        host->set_variants = memory_table(passes * lanes, set_count, 1);
        host->block_variants = memory_table(passes, set_count, 1);
        host->out = memory_table(passes, rows, (size_t)host->components * real_size(host->wide));
        if (!host->joint_values || !host->set_values || !host->set_variants || !host->block_variants ||
            !host->out)
            return status_out_of_memory("the posed frames");
        Status status = two_phase ? first_phase_reserve(host, passes, rows) : status_ok();
        if (status.code != STATUS_OK)
            return status;
        host->two_phase = two_phase;
        host->frames_reserved = frame_count;
    }
    host->frame_count = frame_count;
    return status_ok();
}

/* Writes `count` values of a frame into array, into its lane where frames lie side by side. */
static void values_put(const Host *host, void *array, int frame, size_t count, const double *values)
{
    size_t lanes = (size_t)lanes_of_pass(host);
    size_t pass = (size_t)frame / lanes, lane = (size_t)frame % lanes;
    if (lanes == 1 && !host->wide) {
        float *out = (float *)array + pass * count;
        for (size_t i = 0; i < count; i++)
            out[i] = (float)values[i];
        return;
    }
    for (size_t i = 0; i < count; i++)
        real_put(host->wide, array, (pass * count + i) * lanes + lane, values[i]);
}

static void host_pose(void *state, int frame, const PosedFrame *posed)
{
    Host *host = state;
    size_t set_count = (size_t)host->sets->set_count;
    values_put(host, host->joint_values, frame, (size_t)host->joint_count * (size_t)host->values_per_joint,
               posed->joint_values);
    values_put(host, host->set_values, frame, set_count * (size_t)host->values_per_set, posed->set_values);
    memcpy(host->set_variants + (size_t)frame * set_count, posed->set_variants, set_count);
    if (host->two_phase)
        values_put(host, host->first_values, frame, (size_t)host->joint_count * FIRST_VALUES_PER_JOINT,
                   posed->first_values);
}

/* Where the last block of frames is not full, its last frame is repeated: no lane computes on rubbish. */
static void lanes_fill(const Host *host, void *array, size_t count)
{
    size_t used = (size_t)(host->frame_count % FRAME_LANES);
    size_t first = (size_t)(host->frame_count / FRAME_LANES) * count;
    for (size_t i = 0; used > 0 && i < count; i++)
        for (size_t lane = used; lane < FRAME_LANES; lane++)
            real_put(host->wide, array, (first + i) * FRAME_LANES + lane,
                     real_get(host->wide, array, (first + i) * FRAME_LANES + used - 1));
}

static Status host_commit(void *state)
{
    Host *host = state;
    size_t set_count = (size_t)host->sets->set_count;
    if (!host->frames)
        return status_ok();
    lanes_fill(host, host->joint_values, (size_t)host->joint_count * (size_t)host->values_per_joint);
    lanes_fill(host, host->set_values, set_count * (size_t)host->values_per_set);
    if (host->two_phase)
        lanes_fill(host, host->first_values, (size_t)host->joint_count * FIRST_VALUES_PER_JOINT);
    memset(host->block_variants, 0, (size_t)passes_of(host, host->frame_count) * set_count);
    for (int frame = 0; frame < host->frame_count; frame++) {
        const uint8_t *own = host->set_variants + (size_t)frame * set_count;
        uint8_t *greatest = host->block_variants + (size_t)(frame / FRAME_LANES) * set_count;
        for (size_t set = 0; set < set_count; set++)
            if (own[set] > greatest[set])
                greatest[set] = own[set];
    }
    return status_ok();
}

/* The tiles of a chunk in a frame, or in a block of frames. */
static HostTask task_of(const Host *host, int pass, const HostChunk *chunk)
{
    size_t lanes = (size_t)lanes_of_pass(host), sets = (size_t)host->sets->set_count;
    size_t rows = host->frames ? (size_t)host->sets->vertex_count * lanes : (size_t)host->tiles.lane_count;
    size_t joint_reals = (size_t)host->joint_count * (size_t)host->values_per_joint * lanes;
    size_t set_reals = sets * (size_t)host->values_per_set * lanes;
    size_t index = (size_t)pass;
    return (HostTask){
        .tiles = host->tiles.tiles + chunk->first_tile,
        .tile_count = chunk->tile_count,
        .values_per_vertex = host->tiles.values_per_vertex,
        .values_per_joint = host->values_per_joint,
        .values_per_set = host->values_per_set,
        .frames = host->frame_count - pass * (int)lanes,
        .normals = host->normals,
        .data = host->tiles.data,
        .joints = host->tiles.joints,
        .joint_values = real_at(host->wide, host->joint_values, index * joint_reals),
        .set_values = real_at(host->wide, host->set_values, index * set_reals),
        .set_variants = (host->frames ? host->block_variants : host->set_variants) + index * sets,
        .parameters = host->parameters,
        .out = (char *)host->out + index * rows * (size_t)host->components * real_size(host->wide),
    };
}

/* Phase one of a task: from the rest pose as bound to the scaled one. */
static HostTask first_phase_of(const Host *host, int pass, const HostTask *task)
{
    size_t lanes = (size_t)lanes_of_pass(host), index = (size_t)pass;
    size_t rows = host->frames ? (size_t)host->sets->vertex_count * lanes : (size_t)host->tiles.lane_count;
    HostTask first = *task;
    first.values_per_joint = FIRST_VALUES_PER_JOINT;
    first.joint_values = (char *)host->first_values + index * (size_t)host->joint_count *
                                                          FIRST_VALUES_PER_JOINT * lanes *
                                                          real_size(host->wide);
    first.set_variants = host->first_variants;
    first.out = (char *)host->scaled + index * rows * (size_t)host->components * real_size(host->wide);
    return first;
}

static Status host_skin(void *state)
{
    const Host *host = state;
    void (*skin)(const HostTask *) = host->frames ? host->kernel->skin_frames : host->kernel->skin;
    void (*first_skin)(const HostTask *) = NULL;
    if (host->two_phase)
        first_skin = host->frames ? host->first_kernel->skin_frames : host->first_kernel->skin;
    int64_t items = (int64_t)passes_of(host, host->frame_count) * host->tiles.chunk_count;
#pragma omp parallel for schedule(static) num_threads(host->threads) if (host->threads > 1)
    for (int64_t item = 0; item < items; item++) {
        const int pass = (int)(item / host->tiles.chunk_count);
        HostTask task = task_of(host, pass, &host->tiles.chunks[item % host->tiles.chunk_count]);
        if (first_skin) {
            HostTask first = first_phase_of(host, pass, &task);
            first_skin(&first);
            task.scaled = first.out;
        }
        skin(&task);
    }
    return status_ok();
}

static Status host_read(void *state, int frame, const SkinTarget *target)
{
    const Host *host = state;
    size_t components = (size_t)host->components, lanes = (size_t)lanes_of_pass(host);
    size_t rows = host->frames ? (size_t)host->sets->vertex_count * lanes : (size_t)host->tiles.lane_count;
    size_t start = (size_t)frame / lanes * rows * components;
    for (int i = 0; i < host->tiles.tile_count; i++) {
        const HostTile *tile = &host->tiles.tiles[i];
        for (int vertex = 0; vertex < tile->vertices; vertex++)
            for (size_t component = 0; component < components; component++) {
                int64_t bound = tile->vertex + vertex;
                size_t at =
                    host->frames
                        ? ((size_t)bound * components + component) * lanes + (size_t)frame % lanes
                        : (size_t)tile->lane * components + component * (size_t)tile->lanes + (size_t)vertex;
                skin_target_put(target, bound, (int)component, real_get(host->wide, host->out, start + at));
            }
    }
    return status_ok();
}

static Status host_probe(char *text, size_t size)
{
    snprintf(text, size, "this processor");
    return status_ok();
}

static Status simd_probe(char *text, size_t size)
{
    const char *levels[SIMD_LEVELS_MAX];
    int count = simd_levels_here(levels);
    if (count == 0)
        return status_make(STATUS_UNAVAILABLE, "this processor has none of the instruction-set levels the "
                                               "program was built for");
    snprintf(text, size, "level %s", levels[count - 1]);
    return status_ok();
}

static Status reference_create(const BackendBinding *binding, void **state)
{
    return host_create(binding, binding->entry->reference, true, false, state);
}

static Status scalar_create(const BackendBinding *binding, void **state)
{
    return host_create(binding, binding->entry->scalar, false, false, state);
}

/* The kernel of the level asked for, or of the best. */
static Status simd_any_create(const BackendBinding *binding, bool frames, void **state)
{
    const char *levels[SIMD_LEVELS_MAX];
    int count = simd_levels_here(levels);
    const char *wanted = binding->simd_level ? binding->simd_level : count ? levels[count - 1] : "any";
    for (int i = 0; i < count; i++)
        for (const HostKernel *const *row = binding->entry->simd; *row; row++)
            if (strcmp(levels[i], wanted) == 0 && strcmp((*row)->level, wanted) == 0)
                return host_create(binding, *row, false, frames, state);
    return status_make(STATUS_UNAVAILABLE, "this processor cannot run instruction-set level '%s'", wanted);
}

static Status simd_create(const BackendBinding *binding, void **state)
{
    return simd_any_create(binding, false, state);
}

static Status simd_frames_create(const BackendBinding *binding, void **state)
{
    return simd_any_create(binding, true, state);
}

static const BackendFunctions host_functions = {.release = host_release,
                                                .reserve = host_reserve,
                                                .pose = host_pose,
                                                .commit = host_commit,
                                                .skin = host_skin,
                                                .read = host_read};

const Backend backend_reference = {.name = "reference",
                                   .label = "reference",
                                   .title = "double precision, plain loops, strict floating point",
                                   .color = 0x999999,
                                   .double_precision = true,
                                   .frames_per_pass = 1,
                                   .probe = host_probe,
                                   .create = reference_create,
                                   .functions = &host_functions};
const Backend backend_scalar = {.name = "scalar",
                                .label = "scalar",
                                .title = "float, one vertex at a time",
                                .color = 0x56b4e9,
                                .frames_per_pass = 1,
                                .probe = host_probe,
                                .create = scalar_create,
                                .functions = &host_functions};
const Backend backend_simd = {.name = "simd",
                              .label = "SIMD",
                              .title = "float, lanes are vertices of one joint set",
                              .color = 0x0072b2,
                              .threaded = true,
                              .takes_level = true,
                              .frames_per_pass = 1,
                              .probe = simd_probe,
                              .create = simd_create,
                              .functions = &host_functions};
const Backend backend_simd_frames = {.name = "simd-frames",
                                     .label = "SIMD over frames",
                                     .title = "float, lanes are frames of one vertex",
                                     .color = 0x009e73,
                                     .threaded = true,
                                     .takes_level = true,
                                     .frames_per_pass = FRAME_LANES,
                                     .probe = simd_probe,
                                     .create = simd_frames_create,
                                     .functions = &host_functions};
