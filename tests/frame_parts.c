/* Measures which steps of an LBS frame take its time, on one thread and with results in file order. The
 * first measurement is the bare loop over full tiles whose data stay in the first-level cache. Each further
 * measurement adds one step, and the last one is a real frame. The program then times frames on several
 * threads, and a copy of as many bytes as the results have. Data set files must be in the order of joint
 * sets (methods/README.md). */
#include "datasets/base/clock.h"
#include "datasets/io/store.h"
#include "methods/registry.h"
#include "methods/runtime/backends/host_tiles.h"
#include "methods/runtime/skinner.h"

enum { FRAMES = 64, GROUP = 16, ROUNDS = 60, NEAR_CHUNK = 128, FAR_CHUNK = 1024 };
enum { LOOP, TAILS, PALETTE, WRITES, DATA, FRAME, WITH_POSE, COPY, PART_COUNT };
static const char *const part_names[PART_COUNT] = {"loop, all in the first cache",
                                                   "partly filled tiles",
                                                   "palettes of all frames",
                                                   "results of all frames",
                                                   "rest pose and weights of all",
                                                   "other of the frame",
                                                   "pose",
                                                   "a copy of the results"};

typedef struct FrameParts {
    const HostKernel *kernel;
    const JointSets *sets;
    HostTiles tiles[2]; /* the rig in chunks of NEAR_CHUNK and in chunks of FAR_CHUNK vertices */
    float *palettes, *points, *copy, *scratch;
    size_t joint_step, frame_reals;
    int frames, threads;
    Skinner *skinner;
    const Transform *transforms;
} FrameParts;

/* Skins all frames of all chunks, with every step from LOOP to `part`. Returns the number of vertices
 * skinned per frame. */
static int64_t chunks_skin(const FrameParts *parts, int part)
{
    const HostTiles *tiles = &parts->tiles[part >= DATA];
    int64_t vertices = 0;
    for (int i = 0; i < tiles->chunk_count; i++) {
        const HostChunk *chunk = &tiles->chunks[i];
        HostRun runs[2 * FAR_CHUNK];
        int run_count = 0;
        for (int k = 0; k < chunk->run_count; k++) {
            HostRun run = tiles->runs[chunk->first_run + k];
            run.block_count = part >= TAILS ? run.block_count : run.whole_count;
            if (run.block_count > 0)
                runs[run_count++] = run;
            for (int block = 0; block < run.block_count; block++)
                vertices += tiles->blocks[run.first_block + block].vertex_count;
        }
        for (int frame = 0; frame < parts->frames && run_count > 0; frame += GROUP) {
            float *points = parts->points + (part >= WRITES ? parts->frame_reals * (size_t)frame : 0);
            const HostRows rows = {.vertices = parts->sets->vertices + chunk->first_vertex,
                                   .vertex_count = chunk->vertex_count,
                                   .block_vertices = tiles->block_vertices + chunk->first_block,
                                   .contiguous = true,
                                   .frame_reals = part >= WRITES ? parts->frame_reals : 0,
                                   .positions = points};
            const HostTask task = {.runs = runs,
                                   .run_count = run_count,
                                   .blocks = tiles->blocks,
                                   .values_per_joint = 12,
                                   .data = tiles->data,
                                   .joints = tiles->joints,
                                   .joint_values = parts->palettes +
                                                   (part >= PALETTE ? parts->joint_step * (size_t)frame : 0),
                                   .out = parts->scratch,
                                   .rows = &rows,
                                   .positions = points,
                                   .frames = frame + GROUP < parts->frames ? GROUP : parts->frames - frame,
                                   .joint_step = part >= PALETTE ? parts->joint_step : 0};
            parts->kernel->skin(&task);
        }
    }
    return vertices;
}

/* Returns the shortest time per vertex and frame, in ns. */
static Status part_time(const FrameParts *parts, int part, double *ns)
{
    const double start = clock_now_s();
    int64_t vertices = parts->sets->vertex_count;
    if (part == WITH_POSE)
        STATUS_TRY(skinner_pose(parts->skinner, parts->transforms, NULL, parts->frames));
    if (part == COPY) {
#pragma omp parallel for num_threads(parts->threads)
        for (int i = 0; i < parts->frames; i++)
            memcpy(parts->copy + parts->frame_reals * (size_t)i,
                   parts->points + parts->frame_reals * (size_t)i, parts->frame_reals * sizeof *parts->copy);
    } else if (part >= FRAME) {
        STATUS_TRY(skinner_skin_frames(parts->skinner, parts->points, NULL));
    } else {
        vertices = chunks_skin(parts, part);
    }
    const double time_ns = 1e9 * (clock_now_s() - start) / ((double)vertices * parts->frames);
    *ns = time_ns < *ns ? time_ns : *ns;
    return status_ok();
}

static Status file_run(const SkinningEntry *entry, const HostKernel *kernel, int threads, const char *path)
{
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    CLEANUP(joint_sets_clear) JointSets sets = {0};
    const Backend *backend = NULL;
    STATUS_TRY(backend_find("simd", &backend));
    STATUS_TRY(dataset_read(path, NULL, &dataset));
    const Rig *rig = &dataset->rig;
    const int count = dataset->mesh.vertex_count,
              frames = rig->frame_count < FRAMES ? rig->frame_count : FRAMES;
    STATUS_TRY(joint_sets_init(rig, count, INFLUENCES_BY_JOINT, &sets));
    const SkinnerOptions options = {
        .entry = entry, .backend = backend, .simd_level = kernel->level, .threads = threads};
    STATUS_TRY(skinner_create(&options, &dataset->mesh, rig, &skinner));
    FrameParts parts = {.kernel = kernel,
                        .sets = &sets,
                        .skinner = skinner,
                        .frames = frames,
                        .threads = threads,
                        .transforms = rig->transforms,
                        .frame_reals = 3 * (size_t)count,
                        .joint_step = 12 * (size_t)rig->joint_count};
    LOCAL_ARRAY(double, rest, 3 * (size_t)count, "the rest pose");
    LOCAL_TABLE(float, palettes, frames, parts.joint_step, "the palettes");
    LOCAL_TABLE(float, points, frames, parts.frame_reals, "the frames");
    LOCAL_TABLE(float, copy, frames, parts.frame_reals, "the frames");
    LOCAL_ARRAY(float, scratch, 8 * (size_t)count + 4096, "results");
    parts.palettes = palettes, parts.points = points, parts.copy = copy, parts.scratch = scratch;
    for (size_t i = 0; i < (size_t)frames * parts.joint_step; i++)
        palettes[i] = (float)(&rig->transforms[0].m00)[i];
    for (size_t i = 0; i < 3 * (size_t)count; i++)
        rest[i] = dataset->mesh.rest[3 * (size_t)sets.vertices[i / 3] + i % 3];
    const BackendBinding binding = {.entry = entry,
                                    .sets = &sets,
                                    .rest = rest,
                                    .threads = 1,
                                    .joint_count = rig->joint_count,
                                    .joints_ascend = true};
    for (int far = 0; far < 2; far++) {
        const HostTilesPlan plan = {.lanes = kernel->lanes,
                                    .counted_loops = true,
                                    .joints_max = kernel->block_joints,
                                    .chunk_vertices = far ? FAR_CHUNK : NEAR_CHUNK};
        STATUS_TRY(host_tiles_init(&binding, &plan, &parts.tiles[far]));
    }
    double ns[PART_COUNT];
    for (int part = 0; part < PART_COUNT; part++)
        ns[part] = 1e9;
    STATUS_TRY(skinner_pose(skinner, rig->transforms, NULL, frames));
    const int first = threads > 1 || count > 1000000 ? FRAME : LOOP;
    for (int round = 0; round < (first == FRAME ? 6 : ROUNDS); round++)
        for (int part = first; part < PART_COUNT; part++)
            STATUS_TRY(part_time(&parts, part, &ns[part]));
    printf("%s, level %s, %d threads, ns per vertex\n", path, kernel->level, threads);
    for (int part = first; part < PART_COUNT; part++)
        if (part > first && part < COPY)
            printf("  %-30s %6.3f  %+.3f\n", part_names[part], ns[part], ns[part] - ns[part - 1]);
        else
            printf("  %-30s %6.3f\n", part_names[part], ns[part]);
    for (int far = 0; far < 2; far++)
        host_tiles_clear(&parts.tiles[far]);
    return status_ok();
}

int main(int count, char **arguments)
{
    const SkinningEntry *entry = skinning_entry_find("lbs");
    const HostKernel *kernel = NULL;
    for (int i = 0; count > 3 && entry->simd[i]; i++)
        kernel = strcmp(entry->simd[i]->level, arguments[1]) == 0 ? entry->simd[i] : kernel;
    if (!kernel) {
        fprintf(stderr, "usage: frame_parts LEVEL THREADS FILE...\n");
        return 2;
    }
    for (int i = 3; i < count; i++) {
        const Status status = file_run(entry, kernel, atoi(arguments[2]), arguments[i]);
        if (status.code != STATUS_OK) {
            fprintf(stderr, "%s\n", status.text);
            return 3;
        }
    }
    return 0;
}
