/* Reads descriptions of external programs, and runs the programs. */
#define _DEFAULT_SOURCE /* realpath */
#include "harness/run/peers/external.h"

#include "datasets/base/limited_child.h"
#include "datasets/formats/formats.h"
#include "datasets/io/atomic_path.h"
#include "datasets/io/json_table.h"
#include "datasets/io/sha256.h"
#include "datasets/model/validate.h"
#include "harness/run/peers/peer_load.h"
#include "methods/registry.h"

#include <ctype.h>
#include <sys/stat.h>

const char *const external_kind_names[EXTERNAL_KIND_COUNT + 1] = {"fit", "weights", "rig", "skin", NULL};

/* ---- the description ---- */

static const JsonTable arguments_table = JSON_TEXTS(EXTERNAL_ARGUMENT_BYTES, LABEL, true);
static const JsonTable external_table = JSON_TABLE_STRICT(
    External, NULL, JSON_FIELD(External, name, NAME), JSON_WORD(External, kind, "kind", external_kind_names),
    JSON_ARRAY(External, command, command_count, "command", &arguments_table, WRITTEN),
    JSON_FIELD(External, input, NAME), JSON_FIELD(External, output, NAME),
    JSON_ARRAY(External, version, version_count, "version", &arguments_table, OMITTED),
    JSON_FIELD(External, title, LABEL), JSON_FIELD(External, citation, LABEL),
    JSON_FIELD(External, deterministic, FLAG), JSON_FIELD(External, time_limit_s, SECONDS),
    JSON_FIELD(External, memory_mb, AMOUNT));

static Status format_check(const char *path, const char *member, const char *name, bool exported)
{
    const Format *format = format_find(name);
    if (strcmp(name, EXTERNAL_ARRAYS) == 0 || strcmp(name, "skinbench") == 0 ||
        (format && (exported ? format->export != NULL : format->import != NULL)))
        return status_ok();
    return bad_input("%s: %s is '%s', expected %s, skinbench, or a format that can be %s (skinbench list "
                     "formats)",
                     path, member, name, EXTERNAL_ARRAYS, exported ? "exported" : "imported");
}

/* Replaces {NAME} in an argument by the text of that name; {unknown} is an error. */
static Status argument_expand(const char *where, const char *argument, const char *const (*names)[2],
                              char *out, size_t size)
{
    size_t used = 0;
    for (const char *next = argument; *next && used + 1 < size;) {
        const size_t length = *next == '{' ? strcspn(next, "}") : 0;
        const char *value = NULL;
        for (int i = 0; length > 0 && names[i][0]; i++)
            if (strncmp(names[i][0], next + 1, length - 1) == 0 && names[i][0][length - 1] == '\0')
                value = names[i][1];
        if (length > 0 && !value) {
            char known[STATUS_TEXT_BYTES] = "";
            for (int i = 0; names[i][0]; i++)
                text_append(known, sizeof known, " {%s}", names[i][0]);
            return bad_input("%s: the command has '%.*s', expected one of%s", where, (int)length + 1, next,
                             known);
        }
        if (!value) {
            out[used++] = *next++;
            continue;
        }
        used += (size_t)snprintf(out + used, size - used, "%s", value);
        next += length + 1;
    }
    if (used + 1 >= size)
        return bad_input("%s: an argument of the command is too long", where);
    out[used] = '\0';
    return status_ok();
}

/* Runs a command of the description in `folder`. */
static Status command_run(const External *program, char (*command)[EXTERNAL_ARGUMENT_BYTES], int count,
                          const char *const (*names)[2], LimitedTask task, LimitedOutcome *out)
{
    enum { EXPANDED_BYTES = EXTERNAL_ARGUMENT_BYTES + EXTERNAL_PATH_BYTES };
    char *arguments[EXTERNAL_ARGUMENTS_MAX + 1] = {NULL};
    LOCAL_TABLE(char, texts, EXTERNAL_ARGUMENTS_MAX, EXPANDED_BYTES, "a command");
    for (int i = 0; i < count; i++) {
        arguments[i] = texts + (size_t)i * EXPANDED_BYTES;
        STATUS_TRY(argument_expand(program->name, command[i], names, arguments[i], EXPANDED_BYTES));
    }
    task.arguments = arguments;
    return limited_child_run(&task, out);
}

/* Asks the program for its version, which is the first line that the command prints. */
static Status version_ask(External *program)
{
    const double PATIENCE_S = 30.0;
    const char *const names[][2] = {{"folder", program->folder}, {NULL, NULL}};
    const LimitedTask task = {.folder = program->folder,
                              .time_limit_s = PATIENCE_S,
                              .memory_bytes = 0x1p20 * program->memory_mb,
                              .threads = 1};
    LimitedOutcome outcome;
    if (program->version_count == 0)
        return status_ok();
    STATUS_TRY(command_run(program, program->version, program->version_count, names, task, &outcome));
    outcome.words[strcspn(outcome.words, "\n")] = '\0';
    if (outcome.fault[0])
        return status_make(STATUS_UNAVAILABLE, "%s: the command for its version failed: %s %s", program->name,
                           outcome.fault, outcome.words);
    text_escape(program->facts.version, sizeof program->facts.version, outcome.words);
    return status_ok();
}

/* Computes the digest of the description and of the files in its folder that the command names. Another
 * digest is another program, whose cells are measured again. Without such files it is the digest of the
 * description. */
static Status program_digest(const char *path, External *program)
{
    static const char folder[] = "{folder}/";
    char *digest = program->facts.sha256;
    STATUS_TRY(file_sha256(path, digest));
    for (int i = 0; i < program->command_count; i++) {
        char file[2 * EXTERNAL_PATH_BYTES], both[2 * SHA256_TEXT_BYTES];
        if (strncmp(program->command[i], folder, sizeof folder - 1) != 0)
            continue;
        snprintf(file, sizeof file, "%s/%s", program->folder, program->command[i] + sizeof folder - 1);
        snprintf(both, sizeof both, "%s", digest);
        if (file_sha256(file, both + strlen(both)).code == STATUS_OK)
            sha256_of(both, strlen(both), digest);
    }
    return status_ok();
}

Status external_read(const char *name, External **out)
{
    char path[EXTERNAL_PATH_BYTES];
    json_auto_t *object = NULL;
    OWNED External *program = NULL;
    *out = NULL;
    if (!user_file_path(name, "SKINBENCH_EXTERNALS", "externals", ".json", path))
        return bad_usage("--external %.64s: the path is too long", name);
    if (access(path, R_OK) != 0)
        return status_make(STATUS_UNAVAILABLE, "the program %.64s has no description: %s does not exist",
                           name, path);
    ALLOCATE(program, 1, "a program");
    *program = (External){.time_limit_s = 600.0,
                          .memory_mb = 4096.0,
                          .input = EXTERNAL_ARRAYS,
                          .output = EXTERNAL_ARRAYS,
                          .facts = {.exit_code = -1, .startup_s = NAN, .reported_s = NAN}};
    STATUS_TRY(json_file_read(path, &object));
    STATUS_TRY(json_read(object, path, &external_table, program));
    if (program->name[0] == '\0' || program->command_count < 1)
        return bad_input("%s: needs a name and a command", path);
    if (decomposition_method_find(program->name) || skinning_entry_find(program->name))
        return bad_input("%s: name is '%s', which is a method of skinbench", path, program->name);
    if (!(program->time_limit_s > 0.0) || !(program->memory_mb >= 1.0 && program->memory_mb < 1e9))
        return bad_input("%s: time_limit_s and memory_mb must be positive", path);
    STATUS_TRY(format_check(path, "input", program->input, true));
    STATUS_TRY(format_check(path, "output", program->output, false));
    if (!strchr(name, '/') && !path_ends(name, ".json") && strcmp(name, program->name) != 0)
        return bad_input("%s: name is '%s', expected '%s'", path, program->name, name);
    OWNED_BY(free) char *real = realpath(path, NULL);
    if (!real || strlen(real) >= sizeof program->folder)
        return bad_input("%s: has no absolute path", path);
    snprintf(program->folder, sizeof program->folder, "%.*s", (int)(strrchr(real, '/') - real), real);
    STATUS_TRY(program_digest(path, program));
    for (int i = 0; i < program->command_count; i++)
        text_append(program->facts.command, sizeof program->facts.command, "%s%s", i > 0 ? " " : "",
                    program->command[i]);
    if (program->title[0] == '\0')
        snprintf(program->title, sizeof program->title, "%s", program->name);
    STATUS_TRY(version_ask(program));
    *out = TAKE(program);
    return status_ok();
}

Status external_facts_copy(const External *program, Record *record)
{
    memory_free(record->external);
    ALLOCATE(record->external, 1, "a result");
    *record->external = program->facts;
    return status_ok();
}

/* ---- one run ---- */

/* Returns the parts of a data set that a program of this kind may see. The vertices keep their order. */
static Dataset input_of(const External *program, const Dataset *data)
{
    Dataset shown = *data;
    shown.low_rank = (LowRank){0};
    shown.clips = (Clips){0};
    shown.mesh.original_vertices = NULL;
    shown.mesh.attribute_count = 0;
    shown.rig.centers = NULL;
    shown.rig.smoothed = (JointValues){0};
    if (program->kind != EXTERNAL_FIT)
        shown.animation = (Animation){0};
    if (program->kind == EXTERNAL_FIT || program->kind == EXTERNAL_RIG)
        shown.rig = (Rig){0};
    if (program->kind == EXTERNAL_WEIGHTS) {
        shown.rig.frame_count = 0;
        shown.rig.influence_count = 0;
        shown.rig.transforms = NULL;
        shown.rig.scale = NULL;
        shown.rig.weight_joints = NULL;
        shown.rig.weight_values = NULL;
    }
    return shown;
}

static bool format_is_folder(const char *name)
{
    return strcmp(name, EXTERNAL_ARRAYS) == 0 || strstr(name, "-sequence");
}

/* Writes the path of the program's input or output: a folder of arrays, or a file with the ending of the
 * format. */
static void exchange_path(const char *folder, const char *stem, const char *format,
                          char path[EXTERNAL_PATH_BYTES])
{
    const Format *row = format_find(format);
    const int ending = row && !format_is_folder(format) ? (int)strcspn(row->extensions, " ") : 0;
    snprintf(path, EXTERNAL_PATH_BYTES, "%.3000s/%s%.*s", folder, stem, ending, row ? row->extensions : "");
}

static Status input_write(const External *program, const Dataset *data, const char *folder, const char *path)
{
    char file[EXTERNAL_PATH_BYTES];
    const Dataset shown = input_of(program, data);
    if (strcmp(program->input, EXTERNAL_ARRAYS) == 0)
        return external_arrays_write(&shown, path);
    exchange_path(folder, "data", "skinbench", file);
    const bool is_file = strcmp(program->input, "skinbench") == 0;
    STATUS_TRY(dataset_write(&shown, is_file ? path : file));
    const ExportOptions options = {.input = file, .output = path};
    return is_file ? status_ok() : format_find(program->input)->export(&options);
}

/* Returns the vertex that has the most influences; of several, the first. *most is their number. */
static int vertex_of_most(const Rig *rig, int vertex_count, int *most)
{
    int found = 0;
    *most = 0;
    for (int v = 0; v < vertex_count; v++) {
        int count = 0;
        for (int i = 0; i < rig->influence_count; i++)
            count += rig->weight_values[(ptrdiff_t)v * rig->influence_count + i] != 0.0f;
        if (count > *most) {
            *most = count;
            found = v;
        }
    }
    return found;
}

/* Reads the output and checks it against the task. `mesh` is a place for the mesh, which some formats of rigs
 * lack. */
static Status output_read(const External *program, const ExternalTask *task, const char *path,
                          const char *mesh, Dataset **out)
{
    OWNED_BY(dataset_free) Dataset *made = NULL;
    const Format *format = format_find(program->output);
    const Dataset shown = input_of(program, task->data);
    const Rig *given = &task->data->rig;
    int most = 0;
    const int frames = program->kind == EXTERNAL_FIT    ? task->data->animation.frame_count
                       : program->kind == EXTERNAL_SKIN ? given->frame_count
                                                        : 0;
    *out = NULL;
    if (access(path, R_OK) != 0)
        return bad_input("it wrote no output");
    if (format && format->options & FORMAT_MESH)
        STATUS_TRY(dataset_write(&shown, mesh));
    STATUS_TRY(strcmp(program->output, EXTERNAL_ARRAYS) == 0
                   ? external_arrays_read(program->kind, path, task->data, &made)
                   : dataset_load_any(path, mesh, task->progress, &made));
    if (made->mesh.vertex_count != shown.mesh.vertex_count)
        return bad_input("its output has %d vertices, expected %d", made->mesh.vertex_count,
                         shown.mesh.vertex_count);
    STATUS_TRY(dataset_validate(made, "its output"));
    STATUS_TRY(dataset_order_restore(made)); /* the program's input is in this order, too */
    const int vertex = vertex_of_most(&made->rig, made->mesh.vertex_count, &most);
    if (program->kind == EXTERNAL_SKIN) {
        if (made->animation.frame_count != frames || !made->animation.positions)
            return bad_input("its output has %d frames, expected %d", made->animation.frame_count, frames);
        STATUS_TRY(dataset_frames_validate(made, "its output"));
    } else if (made->rig.joint_count == 0 || !made->rig.weight_values) {
        return bad_input("its output has no rig");
    } else if (program->kind == EXTERNAL_FIT && made->rig.frame_count != frames) {
        return bad_input("its output has %d frames, expected %d", made->rig.frame_count, frames);
    } else if (program->kind == EXTERNAL_WEIGHTS && made->rig.joint_count != given->joint_count) {
        return bad_input("its output has %d joints, expected %d", made->rig.joint_count, given->joint_count);
    } else if (most > task->influences) {
        return bad_input("vertex %d of its output has %d influences, but %d were allowed", vertex, most,
                         task->influences);
    } else if (made->rig.influence_count > task->influences) {
        return bad_input("its output has %d slots per vertex for influences, but %d were allowed",
                         made->rig.influence_count, task->influences);
    } else if (program->kind != EXTERNAL_WEIGHTS && made->rig.joint_count > task->bones) {
        return bad_input("its output has %d bones, but %d were allowed", made->rig.joint_count, task->bones);
    }
    *out = TAKE(made);
    return status_ok();
}

/* Reads the time that a program says it took, without start-up and files: its last line "skinbench-seconds
 * NUMBER". */
static double time_reported_s(const char *words)
{
    static const char mark[] = "skinbench-seconds ";
    double seconds = NAN;
    for (const char *next = words; (next = strstr(next, mark)) != NULL;) {
        next += sizeof mark - 1;
        seconds = strtod(next, NULL);
    }
    return seconds >= 0.0 && seconds < 1e9 ? seconds : NAN;
}

static Status program_run(External *program, const ExternalTask *task, Dataset **out)
{
    OWNED_BY(temporary_folder_remove) TemporaryFolder *folder = NULL;
    char input[EXTERNAL_PATH_BYTES], output[EXTERNAL_PATH_BYTES], mesh[EXTERNAL_PATH_BYTES];
    char numbers[5][32];
    LimitedOutcome outcome;
    ExternalFacts *facts = &program->facts;
    *out = NULL;
    STATUS_TRY(temporary_folder_make(temporary_folder_parent(), program->name, &folder));
    OWNED_BY(free) char *place = realpath(temporary_folder_path(folder), NULL); /* the program runs there */
    if (!place)
        return status_make(STATUS_SYSTEM, "%s: %s", temporary_folder_path(folder), strerror(errno));
    exchange_path(place, "input", program->input, input);
    exchange_path(place, "output", program->output, output);
    exchange_path(place, "mesh", "skinbench", mesh);
    STATUS_TRY(input_write(program, task->data, place, input));
    if (format_is_folder(program->output) && mkdir(output, 0777) != 0)
        return status_make(STATUS_SYSTEM, "%s: %s", output, strerror(errno));
    snprintf(numbers[0], sizeof numbers[0], "%d", task->bones);
    snprintf(numbers[1], sizeof numbers[1], "%d", task->influences);
    snprintf(numbers[2], sizeof numbers[2], "%" PRIu64, task->seed);
    snprintf(numbers[3], sizeof numbers[3], "%d", task->threads);
    snprintf(numbers[4], sizeof numbers[4], "%d", task->iterations);
    const char *const names[][2] = {
        {"folder", program->folder}, {"input", input},           {"output", output},
        {"bones", numbers[0]},       {"influences", numbers[1]}, {"seed", numbers[2]},
        {"threads", numbers[3]},     {"iterations", numbers[4]}, {NULL, NULL}};
    const double limit_s =
        task->time_limit_s > 0.0 ? fmin(task->time_limit_s, program->time_limit_s) : program->time_limit_s;
    const LimitedTask limited = {.folder = place,
                                 .time_limit_s = limit_s,
                                 .memory_bytes = 0x1p20 * program->memory_mb,
                                 .threads = task->threads,
                                 .progress = task->progress};
    STATUS_TRY(command_run(program, program->command, program->command_count, names, limited, &outcome));
    facts->exit_code = outcome.exit_code;
    facts->wall_s = outcome.wall_s;
    facts->processor_s = outcome.processor_s;
    facts->peak_bytes = outcome.peak_bytes;
    facts->reported_s = time_reported_s(outcome.words);
    Status status = status_ok();
    if (outcome.fault[0])
        status = status_make(STATUS_CHECK_FAILED, "%s", outcome.fault);
    else
        status = output_read(program, task, output, mesh, out);
    if (status.code == STATUS_OK || status.code == STATUS_SYSTEM || status.code == STATUS_STOPPED)
        return status;
    size_t length = strlen(outcome.words);
    while (length > 0 && isspace((unsigned char)outcome.words[length - 1]))
        outcome.words[--length] = '\0';
    for (char *next = outcome.words; (next = strpbrk(next, "\r\n")) != NULL;)
        *next = ' ';
    const size_t shown = length > 240 ? length - 240 : 0, folder_length = strlen(place);
    for (char *found;
         (found = strstr(status.text, place)) != NULL;) { /* a reader does not know this folder */
        const char *rest = found + folder_length + (found[folder_length] == '/');
        memmove(found, rest, strlen(rest) + 1);
    }
    return status_make(STATUS_CHECK_FAILED, "%s: %s%s%s", program->name, status.text,
                       length > 0 ? "; its last words: " : "", outcome.words + shown);
}

/* Makes a tetrahedron with one joint that does not move in two frames. */
static Status tetrahedron_make(Dataset **out)
{
    static const int32_t triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    OWNED_BY(dataset_free) Dataset *made = NULL;
    STATUS_TRY(dataset_create("tetrahedron", NULL, NULL, NULL, &made));
    STATUS_TRY(mesh_allocate(&made->mesh, 4, 4));
    STATUS_TRY(rig_allocate(&made->rig, 4, 1, 2, 1));
    STATUS_TRY(animation_allocate(&made->animation, 2, 4, 0));
    made->fps = 30.0;
    memcpy(made->mesh.triangles, triangles, sizeof triangles);
    for (int v = 1; v < 4; v++)
        made->mesh.rest[4 * v - 1] = 1.0f; /* one corner on each axis */
    for (int v = 0; v < 4; v++)
        made->rig.weight_values[v] = 1.0f;
    for (size_t f = 0; f < 2; f++) {
        made->rig.transforms[f] = transform_identity();
        memcpy(made->animation.positions + 12 * f, made->mesh.rest, 12 * sizeof(float));
    }
    made->rig.parents[0] = -1;
    made->rig.rest[0] = transform_identity();
    COPY_TEXT(made->rig.joint_names[0], "root", "a joint's name");
    *out = TAKE(made);
    return status_ok();
}

/* Computes the digest of what a program made. */
static void output_digest(const Dataset *made, char digest[SHA256_TEXT_BYTES])
{
    const Rig *rig = &made->rig;
    const size_t vertices = (size_t)made->mesh.vertex_count, joints = (size_t)rig->joint_count;
    const size_t slots = vertices * (size_t)rig->influence_count;
    const struct {
        const void *bytes;
        size_t size;
    } parts[] = {{made->mesh.rest, 3 * vertices * sizeof *made->mesh.rest},
                 {rig->parents, joints * sizeof *rig->parents},
                 {rig->rest, joints * sizeof *rig->rest},
                 {rig->transforms, joints * (size_t)rig->frame_count * sizeof *rig->transforms},
                 {rig->weight_joints, slots * sizeof *rig->weight_joints},
                 {rig->weight_values, slots * sizeof *rig->weight_values},
                 {made->animation.positions,
                  3 * vertices * (size_t)made->animation.frame_count * sizeof *made->animation.positions}};
    Sha256 sum;
    sha256_begin(&sum);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].bytes)
            sha256_add(&sum, parts[i].bytes, parts[i].size);
    sha256_end(&sum, digest);
}

/* Runs the task a second time, and notes whether the program makes the same model. The other facts stay those
 * of the first run. */
static Status program_repeat(External *program, const ExternalTask *task, const Dataset *made)
{
    OWNED_BY(dataset_free) Dataset *again = NULL;
    char digests[2][SHA256_TEXT_BYTES] = {"", ""};
    ExternalFacts facts = program->facts;
    const Status status = program_run(program, task, &again);
    if (status.code == STATUS_SYSTEM || status.code == STATUS_STOPPED)
        return status;
    output_digest(made, digests[0]);
    if (again)
        output_digest(again, digests[1]);
    facts.deterministic = strcmp(digests[0], digests[1]) == 0;
    program->facts = facts;
    program->is_repeated = true;
    return status_ok();
}

Status external_run(External *program, const ExternalTask *task, Dataset **out)
{
    OWNED_BY(dataset_free) Dataset *result = NULL;
    *out = NULL;
    if (!program->is_started) {
        OWNED_BY(dataset_free) Dataset *data = NULL, *made = NULL;
        STATUS_TRY(tetrahedron_make(&data));
        ExternalTask empty = *task;
        empty.data = data;
        empty.bones = empty.influences = 1;
        for (int i = 0; i < 2; i++) { /* the first run may have to read the program from the disk */
            dataset_free(made);
            const Status status = program_run(program, &empty, &made);
            if (status.code == STATUS_SYSTEM || status.code == STATUS_STOPPED)
                return status;
            program->facts.startup_s =
                status.code == STATUS_OK ? fmin(program->facts.startup_s, program->facts.wall_s) : NAN;
        }
        program->is_started = true;
    }
    STATUS_TRY(program_run(program, task, &result));
    if (program->deterministic && !program->is_repeated)
        STATUS_TRY(program_repeat(program, task, result));
    *out = TAKE(result);
    return status_ok();
}
