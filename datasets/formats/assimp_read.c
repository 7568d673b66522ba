/* Requests assimp's scene from the confined process and builds a scene from the stream of bytes
 * (assimp_scene.h). Every count is compared with the bytes left in the stream. The functions follow the
 * order of the stream. */
#include "datasets/formats/assimp_read.h"

#include "datasets/formats/assimp_scene.h"
#include "datasets/io/confined.h"
#include "datasets/io/input_file.h"
#include "datasets/io/store.h"

#include <sys/mman.h>

enum { PIECE_BYTES = 4 << 20 };

/* ---- in the confined process ---- */

typedef struct AssimpShared {
    size_t first; /* offset of the requested bytes in the stream; 0: read the file first */
    Status status;
    size_t whole_bytes, piece_bytes;
    _Alignas(64) unsigned char piece[PIECE_BYTES];
} AssimpShared;

typedef struct AssimpTask {
    double size_bytes; /* size of the file */
    unsigned char *stream;
    size_t stream_bytes;
} AssimpTask;

static void assimp_answer(void *context, void *memory)
{
    AssimpTask *task = context;
    AssimpShared *shared = memory;
    const size_t size = (size_t)task->size_bytes;
    if (!task->stream) {
        void *file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, CONFINED_FILE, 0);
        shared->status = file == MAP_FAILED ? status_make(STATUS_SYSTEM, "cannot be mapped")
                                            : assimp_pack(file, size, &task->stream, &task->stream_bytes);
        if (shared->status.code != STATUS_OK)
            return;
    }
    const size_t left = shared->first < task->stream_bytes ? task->stream_bytes - shared->first : 0;
    shared->piece_bytes = left < PIECE_BYTES ? left : PIECE_BYTES;
    shared->whole_bytes = task->stream_bytes;
    memcpy(shared->piece, task->stream + shared->first, shared->piece_bytes);
    shared->status = status_ok();
}

/* ---- in the calling process ---- */

/* Fetches the whole stream from the confined process. */
static Status stream_fetch(const ConfinedTask *task, const char *path, const Progress *progress,
                           double bytes_max, unsigned char **out, size_t *size)
{
    OWNED_BY(confined_end) Confined *confined = NULL;
    OWNED unsigned char *stream = NULL;
    *size = 0;
    STATUS_TRY(confined_start(task, &confined));
    for (size_t done = 0; done == 0 || done < *size;) {
        AssimpShared *shared = confined_shared(confined);
        shared->first = done;
        STATUS_TRY(status_in(path, confined_ask(confined, progress)));
        STATUS_TRY(status_in(path, confined_said(shared->status)));
        const size_t piece = shared->piece_bytes;
        if (done == 0) {
            *size = shared->whole_bytes;
            if ((double)*size > bytes_max)
                return bad_input("%s: holds %.0f MB of meshes, more than a file of this size should; "
                                 "use --memory-limit SIZE to allow it",
                                 path, (double)*size / (1 << 20));
            ALLOCATE(stream, *size, path);
        }
        if (piece == 0 || piece > PIECE_BYTES || piece > *size - done)
            return bad_input("%s: cannot be read", path);
        memcpy(stream + done, shared->piece, piece);
        done += piece;
    }
    *out = TAKE(stream);
    return status_ok();
}

/* State of reading the stream. Reading beyond its end gives 0 and sets `broken`. */
typedef struct Unpacking {
    Scene *scene;
    const FormatNotes *notes;
    const unsigned char *bytes;
    size_t left;
    bool broken;
    long long dropped, corners; /* number of polygons without area; number of vertices before welding */
} Unpacking;

static void bytes_unpack(Unpacking *from, void *out, size_t size)
{
    if (size > from->left) {
        from->broken = true;
        from->left = 0;
        memset(out, 0, size);
        return;
    }
    memcpy(out, from->bytes, size);
    from->bytes += size;
    from->left -= size;
}

static int32_t integer_unpack(Unpacking *from)
{
    int32_t value = 0;
    bytes_unpack(from, &value, sizeof value);
    return value;
}

static double number_unpack(Unpacking *from)
{
    double value = 0.0;
    bytes_unpack(from, &value, sizeof value);
    return value;
}

static float float_unpack(Unpacking *from)
{
    float value = 0.0f;
    bytes_unpack(from, &value, sizeof value);
    return value;
}

/* Reads a count, and checks that the rest of the stream has room for that many items of at least `each`
 * bytes. */
static int count_unpack(Unpacking *from, size_t each)
{
    uint32_t count = 0;
    bytes_unpack(from, &count, sizeof count);
    if (count > from->left / each || count > STORE_VERTICES_MAX) {
        from->broken = true;
        from->left = 0;
        return 0;
    }
    return (int)count;
}

static Status text_unpack(Unpacking *from, char **out)
{
    const int length = count_unpack(from, 1);
    ALLOCATE(*out, (size_t)length + 1, "a name");
    bytes_unpack(from, *out, (size_t)length);
    return status_ok();
}

static Transform matrix_unpack(Unpacking *from)
{
    Transform matrix;
    bytes_unpack(from, &matrix.m00, 12 * sizeof(double));
    return matrix;
}

/* Makes a skin from the bones of a mesh, listing each node only once. Stores the weights of the bones as
 * influences of the vertices. */
static Status mesh_bones_unpack(Unpacking *from, SceneMesh *mesh, SceneSkin *skin)
{
    const int bones = count_unpack(from, 104);
    const unsigned char *start = from->bytes;
    const size_t left = from->left;
    const size_t vertices = (size_t)mesh->vertex_count;
    LOCAL_ARRAY(int32_t, used, vertices, "the weights");
    *skin = (SceneSkin){.joint_count = bones, .name = memory_text(mesh->name)};
    STATUS_TRY(scene_skin_allocate(skin));
    ALLOCATED(skin->name, "the weights");
    for (int pass = 0; pass < 2; pass++) { /* pass 0 counts the influences, pass 1 stores them */
        from->bytes = start;
        from->left = left;
        for (int b = 0; b < bones; b++) {
            skin->joints[b] = integer_unpack(from);
            skin->inverse_binds[b] = matrix_unpack(from);
            const int weights = count_unpack(from, 8);
            for (int w = 0; w < weights; w++) {
                const uint32_t vertex = (uint32_t)integer_unpack(from);
                const float weight = float_unpack(from);
                if (vertex >= vertices || weight == 0.0f)
                    continue;
                const int slot = used[vertex]++;
                if (pass == 0) {
                    mesh->influence_count =
                        used[vertex] > mesh->influence_count ? used[vertex] : mesh->influence_count;
                } else {
                    const size_t entry = vertex * (size_t)mesh->influence_count + (size_t)slot;
                    mesh->weight_joints[entry] = b;
                    mesh->weight_values[entry] = weight;
                }
            }
        }
        if (pass == 0) {
            STATUS_TRY(scene_memory_check(from->scene, 8.0 * (double)vertices * mesh->influence_count,
                                          "%d influences of %zu vertices", mesh->influence_count, vertices));
            mesh->weight_joints =
                memory_table(vertices, (size_t)mesh->influence_count, sizeof *mesh->weight_joints);
            mesh->weight_values =
                memory_table(vertices, (size_t)mesh->influence_count, sizeof *mesh->weight_values);
            memset(used, 0, vertices * sizeof *used);
        }
        ALLOCATED(mesh->weight_joints && mesh->weight_values, "the weights");
    }
    return status_ok();
}

static Status mesh_unpack(Unpacking *from, int number, double **weights)
{
    SceneMesh *mesh = &from->scene->meshes[number];
    STATUS_TRY(text_unpack(from, &mesh->name));
    mesh->vertex_count = count_unpack(from, 12);
    ALLOCATE_TABLE(mesh->positions, mesh->vertex_count, 3, "a mesh");
    bytes_unpack(from, mesh->positions, 3 * (size_t)mesh->vertex_count * sizeof *mesh->positions);
    mesh->triangle_count = count_unpack(from, 12);
    ALLOCATE_TABLE(mesh->triangles, mesh->triangle_count, 3, "a mesh");
    bytes_unpack(from, mesh->triangles, 3 * (size_t)mesh->triangle_count * sizeof *mesh->triangles);
    from->dropped += integer_unpack(from);
    STATUS_TRY(mesh_bones_unpack(from, mesh, &from->scene->skins[number]));
    const size_t values = 3 * (size_t)mesh->vertex_count;
    mesh->target_count = count_unpack(from, values * sizeof(float) + sizeof(float));
    mesh->targets = memory_table((size_t)mesh->target_count, values, sizeof *mesh->targets);
    *weights = memory_array((size_t)mesh->target_count, sizeof **weights);
    ALLOCATED(mesh->targets && *weights, "morph targets");
    for (int t = 0; t < mesh->target_count; t++) {
        float *target = mesh->targets + (size_t)t * values;
        bytes_unpack(from, target, values * sizeof *target);
        for (size_t i = 0; i < values; i++)
            target[i] -= mesh->positions[i];
        (*weights)[t] = (double)float_unpack(from);
    }
    return status_ok();
}

/* ---- clips ---- */

static Status keys_unpack(Unpacking *from, SceneClip *clip, int node, ScenePath path, double per_s)
{
    SceneChannel *channel = &clip->channels[clip->channel_count];
    *channel = (SceneChannel){
        .node = node, .path = path, .interpolation = SCENE_LINEAR, .width = path == SCENE_ROTATION ? 4 : 3};
    channel->key_count = count_unpack(from, sizeof(double) * (size_t)(1 + channel->width));
    if (channel->key_count == 0)
        return status_ok();
    clip->channel_count++;
    STATUS_TRY(scene_channel_allocate(channel));
    for (int k = 0; k < channel->key_count; k++) {
        channel->times[k] = number_unpack(from) / per_s;
        bytes_unpack(from, channel->values + (ptrdiff_t)k * channel->width,
                     (size_t)channel->width * sizeof(double));
    }
    return status_ok();
}

/* Returns the first instance with morph targets whose node or mesh has this name, or -1. */
static int morphing_instance(const Scene *scene, const char *name)
{
    for (int i = 0; i < scene->instance_count; i++) {
        const char *node = scene->nodes[scene->instances[i].node].name,
                   *mesh = scene->meshes[scene->instances[i].mesh].name;
        if (scene->meshes[scene->instances[i].mesh].target_count > 0 &&
            (strcmp(node, name) == 0 || strcmp(mesh, name) == 0))
            return i;
    }
    return -1;
}

static Status clip_unpack(Unpacking *from, int number)
{
    const double DEFAULT_TICKS = 25.0; /* ticks per second that assimp assumes if a file states no rate */
    SceneClip *clip = &from->scene->clips[number];
    STATUS_TRY(text_unpack(from, &clip->name));
    double per_s = number_unpack(from);
    per_s = per_s > 0.0 ? per_s : DEFAULT_TICKS;
    const int channels = count_unpack(from, 16);
    ALLOCATE(clip->channels, 3 * (size_t)channels, "the clips");
    for (int c = 0; c < channels; c++) {
        const int node = integer_unpack(from), before = clip->channel_count;
        for (int path = SCENE_TRANSLATION; path <= SCENE_SCALE; path++)
            STATUS_TRY(keys_unpack(from, clip, node, (ScenePath)path, per_s));
        while (node < 0 &&
               clip->channel_count > before) { /* drop the channels of a node that is not in the scene */
            SceneChannel *unused = &clip->channels[--clip->channel_count];
            FREE_ALL(unused->times, unused->values);
        }
    }
    const int morphs = count_unpack(from, 8);
    SceneChannel *all = memory_array((size_t)clip->channel_count + (size_t)morphs, sizeof *all);
    ALLOCATED(all, "the clips");
    memcpy(all, clip->channels, (size_t)clip->channel_count * sizeof *all);
    memory_free(clip->channels);
    clip->channels = all;
    for (int c = 0; c < morphs; c++) {
        Scene *scene = from->scene;
        OWNED char *name = NULL;
        SceneChannel unused = {0}, *channel = &unused;
        STATUS_TRY(text_unpack(from, &name));
        const int instance = morphing_instance(scene, name), keys = count_unpack(from, 12);
        if (instance >= 0 && keys > 0) {
            channel = &clip->channels[clip->channel_count++];
            *channel = (SceneChannel){.node = scene->instances[instance].node,
                                      .path = SCENE_WEIGHTS,
                                      .interpolation = SCENE_LINEAR,
                                      .width = scene->meshes[scene->instances[instance].mesh].target_count,
                                      .key_count = keys};
            STATUS_TRY(
                scene_memory_check(scene, 8.0 * keys * channel->width, "%d keys of morph targets", keys));
            STATUS_TRY(scene_channel_allocate(channel));
        }
        for (int k = 0; k < keys; k++) {
            const double time_s = number_unpack(from) / per_s;
            const int weights = count_unpack(from, 12);
            for (int w = 0; w < weights; w++) {
                const uint32_t target = (uint32_t)integer_unpack(from);
                const double weight = number_unpack(from);
                if (target < (uint32_t)channel->width)
                    channel->values[(size_t)k * (size_t)channel->width + target] = weight;
            }
            if (channel->times)
                channel->times[k] = time_s;
        }
    }
    return status_ok();
}

/* The initial weights of the morph targets, one array for each mesh. */
typedef struct TargetWeights {
    double **of_mesh;
    int mesh_count;
} TargetWeights;

static void target_weights_clear(TargetWeights *weights)
{
    for (int i = 0; i < weights->mesh_count; i++)
        memory_free(weights->of_mesh[i]);
    memory_free((void *)weights->of_mesh);
}

static Status scene_unpack(Unpacking *from)
{
    Scene *scene = from->scene;
    CLEANUP(target_weights_clear) TargetWeights weights = {0};
    scene->clips_place = "clips";
    /* nodes */
    const int nodes = count_unpack(from, 104);
    ALLOCATE(scene->nodes, nodes, "the nodes");
    scene->node_count = nodes;
    for (int i = 0; i < nodes; i++) {
        scene->nodes[i].parent = integer_unpack(from);
        STATUS_TRY(text_unpack(from, &scene->nodes[i].name));
        scene->nodes[i].has_matrix = true;
        scene->nodes[i].matrix = matrix_unpack(from);
    }
    const int meshes = count_unpack(from, 24);
    ALLOCATE(scene->meshes, meshes, "the meshes");
    ALLOCATE(scene->skins, meshes, "the meshes");
    ALLOCATE(weights.of_mesh, meshes, "the meshes");
    scene->mesh_count = scene->skin_count = weights.mesh_count = meshes;
    for (int i = 0; i < meshes; i++)
        STATUS_TRY(mesh_unpack(from, i, &weights.of_mesh[i]));
    /* instances */
    const int instances = count_unpack(from, 8);
    ALLOCATE(scene->instances, instances, "the meshes");
    for (int i = 0; i < instances; i++) {
        SceneInstance *instance = &scene->instances[i];
        instance->node = integer_unpack(from);
        instance->mesh = integer_unpack(from);
        if (instance->node < 0 || instance->node >= scene->node_count || instance->mesh < 0 ||
            instance->mesh >= scene->mesh_count)
            return bad_input("%s: a node refers to a mesh that does not exist", scene->path);
        const int targets = scene->meshes[instance->mesh].target_count;
        instance->skin = scene->skins[instance->mesh].joint_count > 0 ? instance->mesh : -1;
        ALLOCATE(instance->target_weights, targets, "morph targets");
        if (targets > 0)
            memcpy(instance->target_weights, weights.of_mesh[instance->mesh],
                   (size_t)targets * sizeof **weights.of_mesh);
        scene->instance_count++;
    }
    const int clips = count_unpack(from, 20);
    ALLOCATE(scene->clips, clips, "the clips");
    scene->clip_count = clips;
    for (int i = 0; i < clips; i++)
        STATUS_TRY(clip_unpack(from, i));
    format_note(from->notes, "y is up, lengths are in metres (assimp rotates and scales the scene by the "
                             "file's up_axis and unit)");
    if (integer_unpack(from) != 0)
        format_note(from->notes,
                    "keys of the file have other curves (STEP, BEZIER, ...), but assimp interpolates all "
                    "linearly: frames between keys may differ");
    if (from->broken)
        return bad_input("%s: cannot be read: the reading process sent too little data", scene->path);
    for (int i = 0; i < scene->mesh_count; i++)
        from->corners += scene->meshes[i].vertex_count;
    return scene_weld(scene, from->notes, from->corners, from->dropped);
}

/* Converts the scene.
 *
 * assimp gives every corner of a polygon its own vertex. Vertices of a mesh are welded again if their
 * positions, influences and morph targets are equal bit by bit. Polygons become triangles, and each pair of
 * a node and a material becomes one mesh. Keys are interpolated linearly, as assimp delivers them. */
Status assimp_read(const char *path, const ImportOptions *options, Scene *out)
{
    /* These limits stop a process that reads less than 1 MB/s. assimp needs up to a hundred bytes of memory
     * for each byte of the file. */
    const double MEMORY_BYTES = 1e9, MEMORY_PER_BYTE = 200.0, PROCESSOR_S = 10.0, BYTES_PER_S = 1e6;
    CLEANUP(descriptor_close) int file = -1;
    AssimpTask reading = {0};
    OWNED unsigned char *stream = NULL;
    size_t size = 0;
    *out = (Scene){.path = path};
    STATUS_TRY(input_file_open(path, &file, &reading.size_bytes));
    if (reading.size_bytes < 1.0 || reading.size_bytes > INT32_MAX)
        return bad_input("%s: has %.0f bytes, expected 1 to %d", path, reading.size_bytes, INT32_MAX);
    out->memory_bytes = scene_memory_bytes(reading.size_bytes);
    const ConfinedTask task = {.file = file,
                               .shared_bytes = sizeof(AssimpShared),
                               .answer = assimp_answer,
                               .context = &reading,
                               .memory_of_file = true,
                               .memory_bytes = (size_t)(MEMORY_BYTES + MEMORY_PER_BYTE * reading.size_bytes),
                               .processor_s = PROCESSOR_S + reading.size_bytes / BYTES_PER_S};
    Status status = stream_fetch(&task, path, options->progress, out->memory_bytes, &stream, &size);
    if (status.code ==
        STATUS_BAD_INPUT) /* try again, because assimp may report a damaged file when it only lacks memory */
        status = stream_fetch(&task, path, options->progress, out->memory_bytes, &stream, &size);
    STATUS_TRY(status);
    Unpacking from = {.scene = out, .notes = options->notes, .bytes = stream, .left = size};
    return scene_unpack(&from);
}
