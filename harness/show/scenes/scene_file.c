/* Writes a scene as a script: sizes and names as JSON, followed by arrays as packed texts. */
#include "harness/show/scenes/viewer_scene.h"

#include "datasets/base/base64.h"
#include "datasets/formats/number_bytes.h"
#include "datasets/io/json_table.h"
#include "datasets/io/stream.h"
#include <zlib.h>

/* BLOCK_BYTES is a multiple of 3, so that base64 is padded only at the end. */
enum { BLOCK_BYTES = 3 << 13, GZIP_WINDOW_BITS = 15 + 16, MEMORY_LEVEL = 8 };

/* Packs bytes as text for a script, in two steps: first gzip (RFC 1952), which browsers unpack, then
 * base64. Equal bytes give equal text. */
typedef struct PackedText {
    FILE *file;
    z_stream stream;
    unsigned char block[BLOCK_BYTES];
} PackedText;

static void *packed_allocate(void *context, uInt count, uInt size)
{
    (void)context;
    return memory_array(count, size);
}

static void packed_free(void *context, void *bytes)
{
    (void)context;
    memory_free(bytes);
}

/* Starts packing to `file`, whose errors are detected when it is closed. Fails with STATUS_SYSTEM if memory
 * runs out. Release with packed_text_close, which writes what is still buffered; NULL is allowed. */
static Status packed_text_open(FILE *file, PackedText **out)
{
    PackedText *text = memory_array(1, sizeof *text);
    *out = NULL;
    ALLOCATED(text, "a compressed text");
    text->file = file;
    text->stream = (z_stream){
        .zalloc = packed_allocate, .zfree = packed_free, .next_out = text->block, .avail_out = BLOCK_BYTES};
    /* the header has no file name or time, so this fails only if memory runs out */
    if (deflateInit2(&text->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW_BITS, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        memory_free(text);
        return status_out_of_memory("a compressed text");
    }
    *out = text;
    return status_ok();
}

/* Compresses all available input and writes every full block. */
static void packed_text_run(PackedText *text, int flush)
{
    for (int answer = Z_OK; answer == Z_OK && (text->stream.avail_in > 0 || flush == Z_FINISH);) {
        answer = deflate(&text->stream, flush);
        if (text->stream.avail_out > 0 && answer != Z_STREAM_END)
            continue;
        base64_write(text->file, text->block, BLOCK_BYTES - text->stream.avail_out);
        text->stream.next_out = text->block;
        text->stream.avail_out = BLOCK_BYTES;
    }
}

static void packed_text_add(PackedText *text, const unsigned char *bytes, size_t count)
{
    while (count > 0) {
        const uInt part = count < UINT_MAX ? (uInt)count : UINT_MAX;
        text->stream.next_in = (z_const Bytef *)bytes;
        text->stream.avail_in = part;
        packed_text_run(text, Z_NO_FLUSH);
        bytes += part;
        count -= part;
    }
}

static void packed_text_close(PackedText *text)
{
    if (!text)
        return;
    packed_text_run(text, Z_FINISH);
    (void)deflateEnd(&text->stream);
    memory_free(text);
}
DEFINE_OWNED_BY(PackedText, packed_text_close)

/* Coordinates are rounded to every 4th of 65536 levels, that is, to 1/16383 of the side of the box. This is
 * small compared to the edges of a mesh, so shading stays smooth and the data compress well. */
enum { LEVEL_LAST = 65535, LEVEL_STEP = 4, STEPS = LEVEL_LAST / LEVEL_STEP, ERROR_LEVELS = 255 };

/* A scene and the file to which it is being written. */
typedef struct SceneFile {
    const ViewerScene *scene;
    FILE *file;
    double low[3], side[3]; /* the box around all shapes */
    uint16_t *before;       /* [3][N] coordinates of the previous frame, as levels */
    unsigned char *bytes;   /* buffer for the bytes of a frame or of the triangles */
} SceneFile;

/* Writes the members of an object, without the braces around them. */
static Status members_write(json_t *object, FILE *file)
{
    OWNED_BY(free) char *text = object ? json_dumps(object, JSON_ENSURE_ASCII) : NULL;
    json_decref(object);
    ALLOCATED(text, "a scene");
    (void)fwrite(text + 1, 1, strlen(text) - 2, file);
    return status_ok();
}

static json_t *three_numbers(const double numbers[3])
{
    return json_pack("[f, f, f]", numbers[0], numbers[1], numbers[2]);
}

static Status scene_faces_write(const SceneFile *target)
{
    const Mesh *mesh = target->scene->mesh;
    OWNED_BY(packed_text_close) PackedText *text = NULL;
    STATUS_TRY(packed_text_open(target->file, &text));
    for (int t = 0; t < mesh->triangle_count; t++) {
        unsigned char bytes[12];
        (void)int32s_store(mesh->triangles + 3 * (size_t)t, 3, false, bytes);
        packed_text_add(text, bytes, sizeof bytes);
    }
    return status_ok();
}

/* Packs all x of a frame, then all y, then all z. Each is stored as the difference from the previous frame,
 * because small movements compress well. */
static void frame_pack(SceneFile *target, const float *positions, PackedText *text)
{
    const size_t vertices = (size_t)target->scene->mesh->vertex_count;
    for (size_t k = 0; k < 3; k++)
        for (size_t v = 0; v < vertices; v++) {
            const double share = target->side[k] > 0.0
                                     ? ((double)positions[3 * v + k] - target->low[k]) / target->side[k]
                                     : 0.0;
            const size_t slot = k * vertices + v;
            const unsigned level = LEVEL_STEP * (unsigned)lround(STEPS * share),
                           step = level - target->before[slot];
            target->before[slot] = (uint16_t)level;
            target->bytes[2 * slot] = (unsigned char)step;
            target->bytes[2 * slot + 1] = (unsigned char)(step >> 8);
        }
    packed_text_add(text, target->bytes, 6 * vertices);
}

static Status shape_positions_write(SceneFile *target, const ViewerShape *shape, const Progress *progress)
{
    const size_t vertices = (size_t)target->scene->mesh->vertex_count;
    OWNED_BY(packed_text_close) PackedText *text = NULL;
    STATUS_TRY(packed_text_open(target->file, &text));
    memset(target->before, 0, 3 * vertices * sizeof *target->before);
    for (int f = 0; f < target->scene->frame_count; f++) {
        frame_pack(target, shape->positions + 3 * (size_t)f * vertices, text);
        if (progress_stopped(progress))
            return status_make(STATUS_STOPPED, "stopped while writing the scene %s", target->scene->name);
    }
    return status_ok();
}

static Status shape_errors_write(SceneFile *target, const ViewerShape *shape)
{
    const size_t vertices = (size_t)target->scene->mesh->vertex_count;
    OWNED_BY(packed_text_close) PackedText *text = NULL;
    STATUS_TRY(packed_text_open(target->file, &text));
    for (int f = 0; f < target->scene->frame_count; f++) {
        for (size_t v = 0; v < vertices; v++) {
            const double share =
                (double)shape->errors[(size_t)f * vertices + v] / target->scene->error_maximum;
            /* changes can be negative, so the middle level means no change */
            const double level = target->scene->changes ? 0.5 + 0.5 * fmax(share, -1.0) : share;
            target->bytes[v] = (unsigned char)lround(ERROR_LEVELS * fmin(level, 1.0));
        }
        packed_text_add(text, target->bytes, vertices);
    }
    return status_ok();
}

static Status shape_write(SceneFile *target, const ViewerShape *shape, const Progress *progress)
{
    json_t *worst_json = json_null();
    if (shape->errors) {
        const ViewerWorst worst = viewer_shape_worst(target->scene, shape);
        worst_json =
            json_pack("{s:i, s:i, s:f}", "frame", worst.frame, "vertex", worst.vertex, "value", worst.value);
    }
    STATUS_TRY(members_write(
        json_pack("{s:o, s:o, s:o, s:o}", "name", json_text(shape->name), "label", json_text(shape->label),
                  "record", shape->record[0] ? json_text(shape->record) : json_null(), "worst", worst_json),
        target->file));
    fputs(", \"positions\": \"", target->file);
    STATUS_TRY(shape_positions_write(target, shape, progress));
    fputs("\", \"errors\": ", target->file);
    if (shape->errors) {
        fputs("\"", target->file);
        STATUS_TRY(shape_errors_write(target, shape));
        fputs("\"", target->file);
    } else {
        fputs("null", target->file);
    }
    return status_ok();
}

/* Writes the positions of the joints in all frames shown. */
static Status joint_places_write(const SceneFile *target)
{
    const Rig *rig = target->scene->rig;
    OWNED_BY(packed_text_close) PackedText *text = NULL;
    STATUS_TRY(packed_text_open(target->file, &text));
    for (int f = 0; f < target->scene->frame_count; f++)
        for (int j = 0; j < rig->joint_count; j++) {
            const Transform *rest = &rig->rest[j];
            const size_t slot =
                (size_t)f * (size_t)target->scene->frame_step * (size_t)rig->joint_count + (size_t)j;
            const Vec3 place =
                transform_point(rig->transforms[slot], vec3_make(rest->m03, rest->m13, rest->m23));
            unsigned char bytes[12];
            (void)floats_store((const float[3]){(float)place.x, (float)place.y, (float)place.z}, 3, false,
                               bytes);
            packed_text_add(text, bytes, sizeof bytes);
        }
    return status_ok();
}

/* Writes one entry for each influence slot of each vertex: its joint (two bytes), or its weight (one byte,
 * 255 for weight 1). */
static Status weights_write(const SceneFile *target, bool joints)
{
    const Rig *rig = target->scene->rig;
    const size_t slots = (size_t)target->scene->mesh->vertex_count * (size_t)rig->influence_count;
    OWNED_BY(packed_text_close) PackedText *text = NULL;
    STATUS_TRY(packed_text_open(target->file, &text));
    for (size_t slot = 0; slot < slots; slot++) {
        const unsigned joint = (unsigned)rig->weight_joints[slot];
        const double weight = fmin(fmax((double)rig->weight_values[slot], 0.0), 1.0);
        const unsigned char bytes[2] = {(unsigned char)(joints ? joint : (unsigned)lround(255.0 * weight)),
                                        (unsigned char)(joint >> 8)};
        packed_text_add(text, bytes, joints ? 2 : 1);
    }
    return status_ok();
}

static Status rig_write(const SceneFile *target)
{
    const Rig *rig = target->scene->rig;
    json_t *names = json_array(), *parents = json_array();
    for (int j = 0; j < rig->joint_count; j++) {
        const char *name = rig->joint_names ? rig->joint_names[j] : NULL;
        json_array_append_new(names, json_text(name ? name : ""));
        json_array_append_new(parents, json_integer(rig->parents[j]));
    }
    fputs(",\n\"rig\": {", target->file);
    STATUS_TRY(members_write(
        json_pack("{s:o, s:o, s:i}", "names", names, "parents", parents, "influences", rig->influence_count),
        target->file));
    fputs(", \"places\": \"", target->file);
    STATUS_TRY(joint_places_write(target));
    fputs("\", \"joints\": \"", target->file);
    STATUS_TRY(weights_write(target, true));
    fputs("\", \"weights\": \"", target->file);
    STATUS_TRY(weights_write(target, false));
    fputs("\"}", target->file);
    return status_ok();
}

static void scene_file_clear(SceneFile *target)
{
    FREE_ALL(target->before, target->bytes);
    if (target->file)
        fclose(target->file);
}

Status viewer_scene_write(const ViewerScene *scene, const char *path, const Progress *progress,
                          size_t *size_bytes)
{
    const size_t vertices = (size_t)scene->mesh->vertex_count;
    CLEANUP(scene_file_clear) SceneFile target = {.scene = scene, .file = fopen(path, "wex")};
    if (!target.file)
        return status_make(STATUS_SYSTEM, "%s.js: cannot be written: %s", scene->name, strerror(errno));
    ALLOCATE(target.before, 3 * vertices, "a scene");
    ALLOCATE(target.bytes, 6 * vertices, "a scene");
    /* find the box around all shapes */
    const size_t values = 3 * (size_t)scene->frame_count * vertices;
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++)
        target.low[k] = INFINITY;
    for (int i = 0; i < scene->shape_count; i++)
        for (size_t slot = 0; slot < values; slot++) {
            target.low[slot % 3] = fmin(target.low[slot % 3], (double)scene->shapes[i].positions[slot]);
            high[slot % 3] = fmax(high[slot % 3], (double)scene->shapes[i].positions[slot]);
        }
    for (int k = 0; k < 3; k++)
        target.side[k] = high[k] - target.low[k];
    fputs("skinbenchScene({", target.file);
    for (int k = 0; k < 3; k++) /* end of the box, which is the position of the last level */
        high[k] = target.low[k] + target.side[k] * LEVEL_LAST / (STEPS * LEVEL_STEP);
    json_t *range = json_pack("{s:o, s:s, s:b, s:f}", "title", json_text(scene->error_title), "unit",
                              scene->changes ? "%" : "% of the diagonal", "changes", scene->changes,
                              "maximum", scene->error_maximum);
    STATUS_TRY(members_write(
        json_pack("{s:i, s:o, s:o, s:s, s:i, s:i, s:i, s:i, s:f, s:o, s:o, s:o}", "schema", 1, "name",
                  json_text(scene->name), "title", json_text(scene->title), "kind", scene->kind, "vertices",
                  scene->mesh->vertex_count, "triangles", scene->mesh->triangle_count, "frames",
                  scene->frame_count, "step", scene->frame_step, "fps", scene->fps, "minimum",
                  three_numbers(target.low), "maximum", three_numbers(high), "error", range),
        target.file));
    fputs(",\n\"faces\": \"", target.file);
    STATUS_TRY(scene_faces_write(&target));
    fputs("\"", target.file);
    if (scene->rig && scene->rig->rest && scene->rig->joint_count <= UINT16_MAX)
        STATUS_TRY(rig_write(&target));
    fputs(",\n\"shapes\": [", target.file);
    for (int i = 0; i < scene->shape_count; i++) {
        fputs(i > 0 ? ",\n{" : "\n{", target.file);
        STATUS_TRY(shape_write(&target, &scene->shapes[i], progress));
        fputs("}", target.file);
    }
    fputs("\n]});\n", target.file);
    *size_bytes = (size_t)ftell(target.file);
    const int error = stream_close(TAKE(target.file));
    if (error != 0)
        return status_make(STATUS_SYSTEM, "%s.js: cannot be written: %s", scene->name, strerror(error));
    return status_ok();
}
