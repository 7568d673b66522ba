/* Reads and writes the text of RigNet (Xu et al. 2020), which has a skeleton and weights for the vertices of
 * an OBJ file beside it. Lines may come in any order:
 *
 *   joints NAME X Y Z           or "joint"
 *   root NAME
 *   skin VERTEX (NAME WEIGHT)*  vertices from 0
 *   hier PARENT CHILD
 *
 * RigNet's predictions have a joint NAME_dup_K for each child of a fork. Such joints become NAME again. */
#include "datasets/formats/formats.h"

#include "datasets/base/hash_table.h"
#include "datasets/formats/mesh_file.h"
#include "datasets/formats/number_text.h"
#include "datasets/formats/sequence.h"
#include "datasets/geometry/points.h"
#include "datasets/io/atomic_path.h"
#include <unistd.h>

/* A joint of a text. */
typedef struct TextJoint {
    const char *name; /* [length] in the text */
    size_t length;
    Vec3 place;
    int32_t parent;          /* -1: none */
    int32_t meant;           /* joint that stands for this one: itself, or NAME for NAME_dup_K */
    int32_t line, root_line; /* lines of the text that state the joint, and that it is the root; 0: none */
    bool refused;
    UT_hash_handle hh;
} TextJoint;

typedef struct RignetText {
    TextJoint *joints; /* [count] */
    TextJoint *named;  /* hash table of the joints by name */
    int count;
    int64_t vertex_count; /* one more than the greatest vertex */
    int influences;       /* of the vertex that has most */
} RignetText;

static void rignet_text_clear(RignetText *rig)
{
    HASH_CLEAR(hh, rig->named);
    memory_free(rig->joints);
}

/* Gets the next word of a line. Returns false at its end. */
static bool word_next(LineText *text, const char **word, size_t *length)
{
    if (line_text_ends(text))
        return false;
    *word = text->next;
    line_text_skip(text);
    *length = (size_t)(text->next - *word);
    return true;
}

static bool word_is(const char *word, size_t length, const char *expected)
{
    return length == strlen(expected) && strncmp(word, expected, length) == 0;
}

/* Returns the joint of a name, or NULL. */
static TextJoint *joint_named(const RignetText *rig, const char *name, size_t length)
{
    TextJoint *found = NULL;
    HASH_FIND(hh, rig->named, name, length, found);
    return found;
}

/* Reads a joint's name. *joint receives the number that this joint has in the text. */
static Status joint_read(LineText *text, const RignetText *rig, int32_t *joint)
{
    const char *name = NULL;
    size_t length = 0;
    char shown[WORD_BYTES];
    if (!word_next(text, &name, &length))
        return bad_input("%s:%d: expected the name of a joint", text->place, text->line);
    const TextJoint *found = joint_named(rig, name, length);
    if (!found)
        return bad_input("%s:%d: there is no joint '%s'", text->place, text->line,
                         word_for_message(name, text->end, shown));
    *joint = (int32_t)(found - rig->joints);
    return status_ok();
}

/* Collects the joints, and counts vertices and influences. */
static Status joints_collect(LineText text, RignetText *rig)
{
    const char *word = NULL, *name = NULL;
    size_t length = 0, name_length = 0;
    do {
        if (!word_next(&text, &word, &length))
            continue;
        if (word_is(word, length, "joints") || word_is(word, length, "joint")) {
            if (rig->count == STORE_JOINTS_MAX || !word_next(&text, &name, &name_length))
                return bad_input("%s:%d: expected a name and a place of at most %d joints", text.place,
                                 text.line, STORE_JOINTS_MAX);
            GROW(rig->joints, rig->count, "joints");
            TextJoint *joint = &rig->joints[rig->count];
            *joint = (TextJoint){
                .name = name, .length = name_length, .parent = -1, .meant = rig->count, .line = text.line};
            STATUS_TRY(line_text_real(&text, "joint", rig->count, &joint->place.x));
            STATUS_TRY(line_text_real(&text, "joint", rig->count, &joint->place.y));
            STATUS_TRY(line_text_real(&text, "joint", rig->count, &joint->place.z));
            rig->count++;
        } else if (word_is(word, length, "skin")) {
            int64_t vertex = 0;
            int influences = 0;
            STATUS_TRY(line_text_integer(&text, "skin", rig->vertex_count, &vertex));
            if (vertex < 0 || vertex >= STORE_VERTICES_MAX)
                return bad_input("%s:%d: the vertex is %" PRId64 ", expected 0 to %d", text.place, text.line,
                                 vertex, STORE_VERTICES_MAX - 1);
            for (; word_next(&text, &name, &name_length); influences++)
                if (!word_next(&text, &name, &name_length) || influences == STORE_INFLUENCES_MAX)
                    return bad_input("%s:%d: expected pairs of joint and weight, at most %d", text.place,
                                     text.line, STORE_INFLUENCES_MAX);
            rig->vertex_count = vertex >= rig->vertex_count ? vertex + 1 : rig->vertex_count;
            rig->influences = int_max(rig->influences, influences);
        } else if (!word_is(word, length, "root") && !word_is(word, length, "hier")) {
            char shown[WORD_BYTES];
            return bad_input("%s:%d: the line begins with '%s', expected joints, root, skin or hier",
                             text.place, text.line, word_for_message(word, text.end, shown));
        }
    } while (line_text_step(&text));
    return rig->count > 0 ? status_ok() : bad_input("%s: has no joints", text.place);
}

/* Returns how long NAME is if the name has the form NAME_dup_K, and 0 if it has not. */
static size_t length_before_dup(const char *name, size_t length)
{
    size_t end = length;
    while (end > 0 && is_digit(name[end - 1]))
        end--;
    return end < length && end > 5 && strncmp(name + end - 5, "_dup_", 5) == 0 ? end - 5 : 0;
}

/* Finds the joints by name, and lets NAME stand for NAME_dup_K, which is counted. */
static Status joints_name(const LineText *text, RignetText *rig, int *doubles)
{
    char shown[WORD_BYTES];
    for (int j = 0; j < rig->count; j++) {
        TextJoint *joint = &rig->joints[j];
        const TextJoint *other = joint_named(rig, joint->name, joint->length);
        if (other)
            return bad_input("%s:%d: the joint '%s' is given already in line %d", text->place, joint->line,
                             word_for_message(joint->name, text->end, shown), other->line);
        HASH_ADD_KEYPTR(hh, rig->named, joint->name, joint->length, joint);
        if (joint->refused)
            return status_out_of_memory("joints");
    }
    for (int j = 0; j < rig->count; j++) { /* NAME may be a double, too */
        for (TextJoint *joint = &rig->joints[j]; joint;) {
            const size_t length = length_before_dup(joint->name, joint->length);
            joint = length > 0 ? joint_named(rig, joint->name, length) : NULL;
            rig->joints[j].meant = joint ? (int32_t)(joint - rig->joints) : rig->joints[j].meant;
        }
        *doubles += rig->joints[j].meant != j;
    }
    return status_ok();
}

/* Reads the hierarchy. */
static Status parents_read(LineText text, RignetText *rig)
{
    const char *word = NULL;
    size_t length = 0;
    char shown[WORD_BYTES];
    do {
        int32_t parent = -1, child = -1;
        if (!word_next(&text, &word, &length))
            continue;
        if (word_is(word, length, "root")) {
            STATUS_TRY(joint_read(&text, rig, &child));
            rig->joints[rig->joints[child].meant].root_line = text.line;
        }
        if (!word_is(word, length, "hier"))
            continue;
        STATUS_TRY(joint_read(&text, rig, &parent));
        STATUS_TRY(joint_read(&text, rig, &child));
        TextJoint *joint = &rig->joints[rig->joints[child].meant];
        if (parent == child)
            return bad_input("%s:%d: the joint '%s' is its own parent", text.place, text.line,
                             word_for_message(joint->name, text.end, shown));
        parent = rig->joints[parent].meant;
        if (parent == rig->joints[child].meant)
            continue; /* a joint and its double */
        if (joint->parent >= 0 && joint->parent != parent)
            return bad_input("%s:%d: the joint '%s' has another parent already", text.place, text.line,
                             word_for_message(joint->name, text.end, shown));
        joint->parent = parent;
    } while (line_text_step(&text));
    for (const TextJoint *joint = rig->joints; joint < rig->joints + rig->count; joint++)
        if (joint->root_line > 0 && joint->parent >= 0)
            return bad_input("%s:%d: the joint '%s' is a root, but has a parent", text.place,
                             joint->root_line, word_for_message(joint->name, text.end, shown));
    return status_ok();
}

/* Numbers the joints in the order of the file, but ancestors before their descendants: places [count], -1 for
 * doubles. */
static Status joints_number(const RignetText *rig, const char *place, int32_t *places, int *count)
{
    LOCAL_ARRAY(int32_t, stack, rig->count, "joints");
    *count = 0;
    for (int j = 0; j < rig->count; j++)
        places[j] = -1;
    for (int j = 0; j < rig->count; j++) {
        int depth = 0;
        int32_t joint = rig->joints[j].meant == j ? j : -1;
        for (; joint >= 0 && places[joint] < 0; joint = rig->joints[joint].parent) {
            if (depth == rig->count)
                return bad_input("%s: the hierarchy has a circle", place);
            stack[depth++] = joint;
        }
        while (depth > 0)
            places[stack[--depth]] = (*count)++;
    }
    return status_ok();
}

static Status weights_read(LineText text, const RignetText *rig, const int32_t *places, int vertex_count,
                           Rig *out)
{
    const double WEIGHT_MAX = 1e30; /* so that sums are finite, and floats */
    const char *word = NULL;
    size_t length = 0;
    do {
        int64_t vertex = 0;
        double sum = 0.0;
        int slot = 0;
        if (!word_next(&text, &word, &length) || !word_is(word, length, "skin"))
            continue;
        STATUS_TRY(line_text_integer(&text, "skin", 0, &vertex));
        int32_t *joints = out->weight_joints + (ptrdiff_t)vertex * out->influence_count;
        float *values = out->weight_values + (ptrdiff_t)vertex * out->influence_count;
        for (int k = 0; k < out->influence_count; k++)
            if (values[k] != 0.0f)
                return bad_input("%s:%d: vertex %" PRId64 " has weights already", text.place, text.line,
                                 vertex);
        while (!line_text_ends(&text)) {
            int32_t joint = 0;
            double weight = 0.0;
            int used = 0;
            STATUS_TRY(joint_read(&text, rig, &joint));
            joint = rig->joints[joint].meant;
            STATUS_TRY(line_text_real(&text, "skin", vertex, &weight));
            if (weight < 0.0 || weight > WEIGHT_MAX)
                return bad_input("%s:%d: the weight is %g, expected 0 to %g", text.place, text.line, weight,
                                 WEIGHT_MAX);
            while (used < slot && joints[used] != places[joint]) /* a joint and its double share a slot */
                used++;
            slot = int_max(slot, used + 1);
            joints[used] = places[joint];
            values[used] += (float)weight;
            sum += weight;
        }
        for (int k = 0; k < slot && sum > 0.0; k++)
            values[k] = (float)((double)values[k] / sum);
        for (int k = 0; k < slot; k++) /* unused slots have joint 0 */
            joints[k] = values[k] > 0.0f ? joints[k] : 0;
    } while (line_text_step(&text));
    for (int v = 0; v < vertex_count; v++) {
        bool any = false;
        for (int k = 0; k < out->influence_count; k++)
            any = any || out->weight_values[(ptrdiff_t)v * out->influence_count + k] > 0.0f;
        if (!any)
            return bad_input("%s: vertex %d has no weights", text.place, v);
    }
    return status_ok();
}

/* Reads the mesh: of the options, or the OBJ file beside the text. Without either, the mesh is empty. */
static Status mesh_find(const ImportOptions *options, Mesh *out)
{
    static const char *const endings[] = {"_rig.txt", "_pred.txt", ".txt"};
    const char *input = options->inputs[0];
    CLEANUP(file_mesh_clear) FileMesh file = {0};
    LOCAL_ARRAY(char, path, strlen(input) + 5, "a file name");
    if (options->mesh) {
        OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
        const Dataset *source = NULL;
        STATUS_TRY(dataset_reader_open(options->mesh, options->progress, &reader, &source));
        STATUS_TRY(dataset_reader_restore_order(reader)); /* exports are in this order */
        return mesh_copy(&source->mesh, out);
    }
    for (size_t i = 0; i < sizeof endings / sizeof *endings && path[0] == '\0'; i++)
        if (path_ends(input, endings[i])) {
            memcpy(path, input, strlen(input) - strlen(endings[i]));
            strcat(path, ".obj");
        }
    if (access(path, F_OK) != 0)
        return status_ok();
    STATUS_TRY(file_mesh_read(path, &file));
    STATUS_TRY(file_mesh_check(&file, path));
    return file_mesh_copy(&file, out);
}

Status rignet_import(const ImportOptions *options, const char *output)
{
    CLEANUP(sequence_text_clear) SequenceText file = {0};
    CLEANUP(rignet_text_clear) RignetText read = {0};
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    int doubles = 0, joint_count = 0;
    if (options->input_count > 1)
        return bad_usage("%s: expected one file", options->inputs[1]);
    STATUS_TRY(sequence_text_read(options->inputs[0], &file));
    const LineText text = {.next = file.text, .end = file.text + file.length, .place = file.place, .line = 1};
    STATUS_TRY(joints_collect(text, &read));
    STATUS_TRY(joints_name(&text, &read, &doubles));
    STATUS_TRY(parents_read(text, &read));
    LOCAL_ARRAY(int32_t, places, read.count, "joints");
    STATUS_TRY(joints_number(&read, file.place, places, &joint_count));
    STATUS_TRY(format_dataset_create(options, &dataset));
    STATUS_TRY(mesh_find(options, &dataset->mesh));
    const int vertices = read.vertex_count > 0 ? dataset->mesh.vertex_count : 0;
    if (vertices > 0 && read.vertex_count > vertices)
        return bad_input("%s: has weights for vertex %" PRId64 ", but the mesh has %d vertices", file.place,
                         read.vertex_count - 1, vertices);
    if (vertices == 0) /* weights say nothing without vertices, nor vertices without weights */
        STATUS_TRY(mesh_allocate(&dataset->mesh, 0, 0));
    STATUS_TRY(rig_allocate(&dataset->rig, vertices, joint_count, 0, int_max(read.influences, 1)));
    for (int j = 0; j < read.count; j++) {
        const TextJoint *joint = &read.joints[j];
        if (places[j] < 0)
            continue;
        const int32_t place = places[j];
        dataset->rig.joint_names[place] = memory_text_start(joint->name, joint->length);
        ALLOCATED(dataset->rig.joint_names[place], "a joint's name");
        dataset->rig.parents[place] = joint->parent < 0 ? -1 : places[joint->parent];
        dataset->rig.rest[place] = transform_translate(vec3_scale(joint->place, options->scale));
    }
    for (int i = 0; i < 3 * vertices; i++)
        dataset->mesh.rest[i] *= (float)options->scale;
    if (vertices > 0)
        STATUS_TRY(weights_read(text, &read, places, vertices, &dataset->rig));
    else
        format_note(options->notes, "%s: only the skeleton was imported, as there are no %s",
                    options->inputs[0],
                    read.vertex_count > 0 ? "vertices (--mesh names their file)" : "weights");
    if (doubles > 0)
        format_note(options->notes, "%d joints NAME_dup_K were joined with NAME", doubles);
    return format_dataset_write(options, dataset, output);
}

bool rignet_recognise(const FormatSample *sample)
{
    static const char *const words[] = {"joints ", "joint ", "root ", "skin ", "hier "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (sample->size > strlen(words[i]) && memcmp(sample->head, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

/* ---- writing ---- */

/* The name that is written for a joint. */
typedef struct WrittenName {
    char *name;
    size_t length; /* length of the name without endings _dup_K */
    bool refused;
    UT_hash_handle hh;
} WrittenName;

typedef struct WrittenNames {
    WrittenName *names;   /* [count] of the joints */
    WrittenName *by_stem; /* hash table of the names without endings _dup_K */
    int count;
} WrittenNames;

static void written_names_clear(WrittenNames *names)
{
    HASH_CLEAR(hh, names->by_stem);
    for (int j = 0; j < names->count; j++)
        memory_free(names->names[j].name);
    memory_free(names->names);
}

/* Gives a joint this name, unless an import would take it for the name of another joint, or join both. */
static Status name_take(WrittenNames *names, int joint, const char *name)
{
    WrittenName *written = &names->names[joint], *other = NULL;
    size_t length = strlen(name);
    for (size_t before = 0; (before = length_before_dup(name, length)) > 0;)
        length = before;
    HASH_FIND(hh, names->by_stem, name, length, other);
    if (other)
        return status_ok();
    COPY_TEXT(written->name, name, "joints");
    written->length = length;
    HASH_ADD_KEYPTR(hh, names->by_stem, written->name, written->length, written);
    return written->refused ? status_out_of_memory("joints") : status_ok();
}

/* Chooses names that are single words and that an import keeps apart. Names that are so already come first.
 * Then blanks become underscores. Joints that are still without a name get their number. */
static Status names_choose(const Rig *rig, WrittenNames *out)
{
    ALLOCATE(out->names, rig->joint_count, "joints");
    out->count = rig->joint_count;
    for (int pass = 0; pass < 3; pass++)
        for (int j = 0; j < rig->joint_count; j++) {
            const char *name = rig->joint_names[j] ? rig->joint_names[j] : "";
            LOCAL_ARRAY(char, word, strlen(name) + 1, "a joint's name");
            for (size_t i = 0; name[i]; i++)
                word[i] = (unsigned char)name[i] <= ' ' ? '_' : name[i];
            const bool is_plain = strcmp(word, name) == 0 && length_before_dup(name, strlen(name)) == 0;
            if (!out->names[j].name && name[0] && (is_plain || pass > 0))
                STATUS_TRY(name_take(out, j, word));
            for (int number = 0; !out->names[j].name && pass == 2; number++) {
                char numbered[48];
                snprintf(numbered, sizeof numbered, number > 0 ? "joint_%d_%d" : "joint_%d", j, number);
                STATUS_TRY(name_take(out, j, numbered));
            }
        }
    return status_ok();
}

static void text_write(FILE *file, const Dataset *dataset, const WrittenName *names)
{
    const Rig *rig = &dataset->rig;
    int root = -1;
    for (int j = 0; j < rig->joint_count; j++) {
        const Vec3 place = rig_joint_place(rig, j);
        fprintf(file, "joints %s %.9g %.9g %.9g\n", names[j].name, place.x, place.y, place.z);
        root = root < 0 && rig->parents[j] < 0 ? j : root;
    }
    fprintf(file, "root %s\n", names[root].name);
    for (int v = 0; v < dataset->mesh.vertex_count; v++) {
        fprintf(file, "skin %d", v);
        for (int k = 0; k < rig->influence_count; k++) {
            const ptrdiff_t slot = (ptrdiff_t)v * rig->influence_count + k;
            if (rig->weight_values[slot] < 5e-7f)
                continue;
            fprintf(file, " %s %.6f", names[rig->weight_joints[slot]].name, (double)rig->weight_values[slot]);
        }
        fputc('\n', file);
    }
    for (int j = 0; j < rig->joint_count; j++)
        if (rig->parents[j] >= 0)
            fprintf(file, "hier %s %s\n", names[rig->parents[j]].name, names[j].name);
}

Status rignet_export(const ExportOptions *options)
{
    OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
    CLEANUP(atomic_path_discard) AtomicPath made = {0};
    CLEANUP(written_names_clear) WrittenNames names = {0};
    const Dataset *dataset = NULL;
    ExportOptions of_mesh = *options;
    const size_t length = strlen(options->output);
    STATUS_TRY(dataset_reader_open(options->input, options->progress, &reader, &dataset));
    STATUS_TRY(dataset_reader_restore_order(reader));
    if (dataset->rig.joint_count == 0)
        return bad_input("%s: has no rig", options->input);
    STATUS_TRY(names_choose(&dataset->rig, &names));
    LOCAL_ARRAY(char, mesh, length + 5, "a file name");
    const size_t ending = path_ends(options->output, "_rig.txt") ? 8
                          : path_ends(options->output, ".txt")   ? 4
                                                                 : 0;
    snprintf(mesh, length + 5, "%.*s.obj", (int)(length - ending), options->output);
    of_mesh.output = mesh;
    if (access(mesh, F_OK) == 0)
        return bad_input("%s: the mesh is written to this file, which exists already", mesh);
    STATUS_TRY(atomic_path_start(options->output, OUTPUT_FILE, &made));
    FILE *file = NULL;
    STATUS_TRY(stream_create(made.temporary, "wbe", options->output, &file));
    text_write(file, dataset, names.names);
    STATUS_TRY(stream_finish(file, options->output));
    if (dataset->mesh.vertex_count > 0)
        STATUS_TRY(obj_sequence_export(&of_mesh));
    const Status status = atomic_path_commit(&made);
    if (status.code != STATUS_OK && dataset->mesh.vertex_count > 0)
        unlink(mesh); /* written a moment ago, to a new name */
    return status;
}
