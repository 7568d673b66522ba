/* Reads pairs of rigs one after another, because their formats have confined readers, and scores as many of
 * them at once as there are threads. */
#include "harness/run/scores/score_run.h"

#include "datasets/formats/formats.h"
#include "datasets/io/file_name.h"
#include "datasets/io/input_file.h"
#include "datasets/io/json_table.h"
#include "datasets/io/sha256.h"
#include "datasets/io/stream.h"

#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- pairs ---- */

void score_pairs_clear(ScorePairs *pairs)
{
    for (int i = 0; i < pairs->count; i++)
        FREE_ALL(pairs->items[i].name, pairs->items[i].predicted, pairs->items[i].truth);
    memory_free(pairs->items);
    *pairs = (ScorePairs){0};
}

/* Whether a file can have a rig. Returns the length of its name without the ending. */
static size_t stem_length(const char *file)
{
    static const char *const endings[] = {".h5", ".hdf5", ".glb", ".gltf", ".fbx", ".dae", ".npz", ".txt"};
    static const char *const marks[] = {"_rig", "_pred"};
    size_t length = 0;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t all = strlen(file), ending = strlen(endings[i]);
        if (all > ending && strcasecmp(file + all - ending, endings[i]) == 0)
            length = all - ending;
    }
    for (size_t i = 0; i < 2; i++)
        if (length > strlen(marks[i]) &&
            strncmp(file + length - strlen(marks[i]), marks[i], strlen(marks[i])) == 0)
            length -= strlen(marks[i]);
    return length;
}

/* Whether a file is a text such as a licence: RigNet's rigs are .txt, too. A name with a mark is a rig's,
 * however damaged. */
static bool is_other_text(const char *path, size_t stem)
{
    const Format *format = NULL;
    return strcasecmp(path + stem, ".txt") == 0 && format_detect(path, &format).code != STATUS_OK;
}

static int pair_compare(const void *a, const void *b)
{
    return strcmp(((const ScorePair *)a)->name, ((const ScorePair *)b)->name);
}

enum { FOLDER_DEPTH_MAX = 16 };

/* Appends the rigs of a folder and of the folders in it, as `truth` of pairs. Their names are their paths
 * without the first `name_at` letters. Does not follow links to folders. */
static Status folder_append(const char *folder, size_t name_at, int depth, ScorePairs *out)
{
    OWNED_BY(closedir) DIR *entries = opendir(folder);
    if (!entries)
        return input_failure(folder, "opened");
    for (struct dirent *entry = NULL; (entry = readdir(entries)) != NULL;) {
        const size_t length = stem_length(entry->d_name);
        struct stat facts;
        if (entry->d_name[0] == '.')
            continue;
        OWNED char *path = path_join(folder, "/", entry->d_name);
        ALLOCATED(path, "the rigs of a folder");
        if (lstat(path, &facts) == 0 && S_ISDIR(facts.st_mode)) {
            if (depth == FOLDER_DEPTH_MAX)
                return bad_input("%s: is more than %d folders deep", path, FOLDER_DEPTH_MAX);
            STATUS_TRY(folder_append(path, name_at, depth + 1, out));
        } else if (length > 0 && !is_other_text(path, strlen(folder) + 1 + length)) {
            GROW(out->items, out->count, "the rigs of a folder");
            ScorePair *pair = &out->items[out->count++];
            const size_t stem = strlen(folder) + 1 + length - name_at;
            *pair = (ScorePair){memory_text_start(path + name_at, stem), NULL, NULL};
            ALLOCATED(pair->name, "the rigs of a folder");
            pair->truth = TAKE(path);
        }
    }
    return status_ok();
}

/* Lists the rigs of a folder as `truth` of pairs, sorted by name. */
static Status folder_list(const char *path, ScorePairs *out)
{
    STATUS_TRY(folder_append(path, strlen(path) + 1, 0, out));
    qsort(out->items, (size_t)out->count, sizeof *out->items, pair_compare);
    for (int i = 1; i < out->count; i++)
        if (strcmp(out->items[i - 1].name, out->items[i].name) == 0)
            return bad_input("%s and %s are rigs of one name", out->items[i - 1].truth, out->items[i].truth);
    return status_ok();
}

static bool is_folder(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

Status score_pairs_find(const char *predicted, const char *truth, ScorePairs *out)
{
    CLEANUP(score_pairs_clear) ScorePairs found = {0};
    const char *const paths[] = {predicted, truth};
    *out = (ScorePairs){0};
    for (int i = 0; i < 2; i++)
        if (access(paths[i], F_OK) != 0)
            return input_failure(paths[i], "opened");
    if (is_folder(predicted) != is_folder(truth))
        return bad_usage("%s and %s must both be files, or both folders", predicted, truth);
    if (!is_folder(truth)) {
        const char *name = path_name(truth);
        const size_t length = stem_length(name);
        ALLOCATE(out->items, 1, "a pair of rigs");
        out->count = 1;
        ALLOCATED(out->items[0].name = memory_text_start(name, length ? length : strlen(name)),
                  "a pair of rigs");
        COPY_TEXT(out->items[0].predicted, predicted, "a pair of rigs");
        COPY_TEXT(out->items[0].truth, truth, "a pair of rigs");
        return status_ok();
    }
    STATUS_TRY(folder_list(truth, out));
    STATUS_TRY(folder_list(predicted, &found));
    if (out->count == 0)
        return bad_input("%s: contains no rigs", truth);
    out->unpaired = found.count;
    for (int i = 0; i < out->count && found.count > 0; i++) {
        ScorePair *pair =
            bsearch(&out->items[i], found.items, (size_t)found.count, sizeof *pair, pair_compare);
        if (pair) {
            out->items[i].predicted = pair->truth;
            pair->truth = NULL;
            out->unpaired--;
        }
    }
    return status_ok();
}

/* ---- one pair ---- */

/* A pair in memory. */
typedef struct LoadedPair {
    Dataset *predicted, *truth;
    ScoreTask task;
    Vec3 *turns; /* poses of a file */
    Status status;
    Score score;
} LoadedPair;

/* Reads a JSON list of poses, each an object of rotation vectors by joint, in radians. */
static Status poses_read(const char *path, const Rig *truth, LoadedPair *out)
{
    json_auto_t *list = NULL;
    STATUS_TRY(json_file_read(path, &list));
    const size_t count = json_array_size(list);
    if (count == 0 || count > SCORE_POSES_MAX)
        return bad_input("%s: expected a list of 1 to %d poses", path, SCORE_POSES_MAX);
    ALLOCATE_TABLE(out->turns, count, truth->joint_count, "poses");
    for (size_t pose = 0; pose < count; pose++) {
        const char *name = NULL;
        json_t *value = NULL;
        char place[JSON_WHERE_BYTES];
        json_place(place, path, NULL, pose);
        if (!json_is_object(json_array_get(list, pose)))
            return json_unexpected(place, json_array_get(list, pose), "an object of rotation vectors");
        json_object_foreach(json_array_get(list, pose), name, value)
        {
            const int joint = rig_joint_find(truth, name);
            double vector[3] = {0.0};
            if (joint < 0)
                return bad_input("%s: the true rig has no joint '%s'", place, name);
            for (size_t axis = 0; axis < 3; axis++) {
                if (json_array_size(value) != 3 || !json_is_number(json_array_get(value, axis)))
                    return bad_input("%s: the joint '%s' needs a rotation vector of 3 numbers", place, name);
                vector[axis] = json_number_value(json_array_get(value, axis));
            }
            out->turns[pose * (size_t)truth->joint_count + (size_t)joint] =
                vec3_make(vector[0], vector[1], vector[2]);
        }
    }
    out->task.turns = out->turns;
    out->task.pose_count = (int)count;
    return status_ok();
}

/* Chooses the frames of the true rig to replay. */
static Status replay_choose(const char *clip, const Dataset *truth, ScoreTask *task)
{
    task->replay_count = truth->rig.frame_count;
    if (!clip || strcmp(clip, "all") == 0) {
        task->replay_count = clip ? task->replay_count : 0;
        return status_ok();
    }
    const bool of_rig = truth->clips.frame_count == truth->rig.frame_count;
    for (int i = 0; of_rig && i < truth->clips.count; i++)
        if (strcmp(truth->clips.names[i], clip) == 0) {
            task->replay_first = truth->clips.first[i];
            task->replay_count = clip_frame_count(&truth->clips, i);
            return status_ok();
        }
    return bad_input("the true rig has no clip '%s'", clip);
}

enum { SCORE_PATH_BYTES = 4096 };

/* Returns whether a failure belongs to the pair, so that others go on. */
static bool is_of_pair(Status status)
{
    return status.code != STATUS_SYSTEM && status.code != STATUS_STOPPED;
}

/* Returns the mesh of rigs without one: the file that `options` name, or NAME.obj in the folder. NULL if
 * they name none. */
static const char *mesh_path(const ScorePair *pair, const ScoreOptions *options, char path[SCORE_PATH_BYTES])
{
    if (!options->mesh)
        return NULL;
    snprintf(path, SCORE_PATH_BYTES, is_folder(options->mesh) ? "%s/%s.obj" : "%s", options->mesh,
             pair->name);
    return path;
}

/* Reads both rigs. A failure of the truth is skipped; one of the prediction is scored as a failure. */
static Status pair_load(const ScorePair *pair, const ScoreOptions *options, const Progress *progress,
                        LoadedPair *loaded, Record *record)
{
    static const Dataset nothing = {.fps = 0.0};
    char path[SCORE_PATH_BYTES];
    const char *mesh = mesh_path(pair, options, path);
    loaded->status = dataset_load_any(pair->truth, mesh, progress, &loaded->truth);
    const Dataset *truth = loaded->truth ? loaded->truth : &nothing;
    loaded->task = (ScoreTask){.mesh = &truth->mesh,
                               .truth = &truth->rig,
                               .rig_mesh = &nothing.mesh,
                               .rig = &nothing.rig,
                               .parameters = options->parameters};
    CellDataset *dataset = &record->cell.dataset;
    text_escape(dataset->name, sizeof dataset->name, pair->name);
    dataset->vertices = truth->mesh.vertex_count;
    dataset->triangles = truth->mesh.triangle_count;
    dataset->frames = truth->rig.frame_count;
    dataset->joints = truth->rig.joint_count;
    dataset->influences = truth->rig.influence_count;
    if (loaded->status.code == STATUS_OK)
        loaded->status = status_in(pair->truth, score_check(&truth->mesh, &truth->rig, "the true rig"));
    if (loaded->status.code == STATUS_OK)
        loaded->status = status_in(pair->truth, replay_choose(options->replay, truth, &loaded->task));
    if (loaded->status.code == STATUS_OK && options->poses)
        loaded->status = poses_read(options->poses, &truth->rig, loaded);
    if (loaded->status.code != STATUS_OK) {
        record_fail(record, RECORD_SKIPPED, loaded->status.text);
        return is_of_pair(loaded->status) ? status_ok() : loaded->status;
    }
    loaded->status = pair->predicted ? dataset_load_any(pair->predicted, mesh, progress, &loaded->predicted)
                                     : bad_input("the prediction is missing");
    if (loaded->predicted) {
        loaded->task.rig_mesh = &loaded->predicted->mesh;
        loaded->task.rig = &loaded->predicted->rig;
    }
    return is_of_pair(loaded->status) ? status_ok() : loaded->status;
}

/* Compares a pair. A prediction that cannot be compared gets the score of a failure. */
static Status pair_score(LoadedPair *loaded, Record *record)
{
    if (record->status == RECORD_SKIPPED)
        return status_ok();
    if (loaded->status.code == STATUS_OK)
        loaded->status = score_rigs(&loaded->task, &loaded->score);
    if (!is_of_pair(loaded->status))
        return loaded->status;
    if (loaded->status.code != STATUS_OK) {
        record_fail(record, RECORD_FAILED, loaded->status.text);
        STATUS_TRY(score_failure(&loaded->task, &loaded->score));
    }
    Measures *measures = record->status == RECORD_OK ? &record->measures : &record->held;
    for (int i = 0; i < SCORE_COUNT; i++)
        measures_add(measures, score_rows[i].name, loaded->score.values[i]);
    return measures_status(measures);
}

Status score_record_make(const ScorePair *pair, const ScoreOptions *options, Record *record)
{
    char sha256[SHA256_TEXT_BYTES] = "", both[2 * SHA256_TEXT_BYTES], path[SCORE_PATH_BYTES];
    const char *mesh = mesh_path(pair, options, path);
    *record = record_of(&(Cell){.kind = CELL_SCORE});
    record->status = RECORD_OK;
    Cell *cell = &record->cell;
    snprintf(cell->method, sizeof cell->method, "%s", options->method);
    text_escape(cell->row, sizeof cell->row, pair->name);
    STATUS_TRY(file_sha256(pair->truth, cell->dataset.sha256));
    STATUS_TRY(arguments_of(score_parameters, &options->parameters, &cell->parameters));
    STATUS_TRY(argument_set_text(&cell->parameters, "replay", options->replay));
    if (options->poses)
        STATUS_TRY(file_sha256(options->poses, sha256));
    STATUS_TRY(argument_set_text(&cell->parameters, "poses-file", sha256));
    /* the digest of the prediction, which includes the mesh, because a rig may lack one */
    if (!pair->predicted || file_sha256(pair->predicted, sha256).code != STATUS_OK)
        return status_ok();
    snprintf(both, sizeof both, "%s", sha256);
    if (mesh && file_sha256(mesh, both + strlen(both)).code == STATUS_OK)
        sha256_of(both, strlen(both), sha256);
    record_set_text(&record->device, sha256);
    return status_ok();
}

typedef struct LoadedPairs {
    LoadedPair *items;
    int count;
} LoadedPairs;

static void loaded_pairs_clear(LoadedPairs *loaded)
{
    for (int i = 0; loaded->items && i < loaded->count; i++) {
        dataset_free(loaded->items[i].predicted);
        dataset_free(loaded->items[i].truth);
        memory_free(loaded->items[i].turns);
    }
    memory_free(loaded->items);
}

Status score_pairs(const ScorePair *pairs, int count, const ScoreOptions *options, const Progress *progress,
                   Record *records)
{
    CLEANUP(loaded_pairs_clear) LoadedPairs loaded = {NULL, count};
    ALLOCATE(loaded.items, count, "rigs");
    for (int i = 0; i < count; i++)
        STATUS_TRY(pair_load(&pairs[i], options, progress, &loaded.items[i], &records[i]));
#pragma omp parallel for schedule(dynamic, 1) num_threads(options->threads)
    for (int i = 0; i < count; i++)
        loaded.items[i].status = pair_score(&loaded.items[i], &records[i]);
    for (int i = 0; i < count; i++)
        STATUS_TRY(loaded.items[i].status);
    return status_ok();
}

/* ---- all pairs ---- */

Status score_run_pairs(Bench *bench, const ScorePairs *pairs, const ScoreOptions *options)
{
    const int batch = int_max(options->threads, 1);
    LOCAL_ARRAY(ScorePair, chosen, batch, "rigs");
    LOCAL_ARRAY(Record, records, batch, "rigs");
    Status status = status_ok();
    int filled = 0;
    for (int i = 0; i < pairs->count && status.code == STATUS_OK; i++) {
        status = score_record_make(&pairs->items[i], options, &records[filled]);
        if (status.code == STATUS_OK) {
            const Record *before =
                record_store_find(bench->store, &records[filled].cell, bench->environment.machine);
            chosen[filled] = pairs->items[i];
            if (before && record_is_final(before) && strcmp(before->device, records[filled].device) == 0) {
                bench->counts.already++;
                record_clear(&records[filled]);
            } else {
                filled++;
            }
        } else {
            record_clear(&records[filled]);
        }
        if (status.code != STATUS_OK || filled == 0 || (filled < batch && i + 1 < pairs->count))
            continue;
        if (!progress_report(bench->progress, "scores", (double)i / pairs->count))
            status = status_make(STATUS_STOPPED, "interrupted; the same command goes on");
        else
            status = score_pairs(chosen, filled, options, bench->progress, records);
        for (int k = 0; k < filled; k++)
            if (status.code == STATUS_OK)
                status = bench_append(bench, &records[k]);
            else
                record_clear(&records[k]);
        filled = 0;
    }
    for (int k = 0; k < filled; k++)
        record_clear(&records[k]);
    return status;
}
