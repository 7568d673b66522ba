/* Writes the conformance pack. What is expected of a case is computed from its glTF file, as it is imported,
 * by the reference backend in double precision. */
#include "harness/run/identify/conformance.h"

#include "datasets/formats/formats.h"
#include "datasets/geometry/points.h"
#include "datasets/io/atomic_path.h"
#include "datasets/io/json_file.h"
#include "datasets/io/npy.h"

#include <sys/stat.h>

enum { PATH_BYTES = 4608, METHODS_MAX = 12 };

extern const char conformance_readme[]; /* conformance.md, embedded; ends with the head of a table */

static Status json_file_write(const json_t *object, const char *folder, const char *name)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    OWNED_BY(free) char *text = json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(9));
    ALLOCATED(text, "a case");
    FILE *file = NULL;
    STATUS_TRY(stream_create(path, "wbxe", path + strlen(folder) + 1, &file));
    fprintf(file, "%s\n", text);
    return stream_finish(file, path + strlen(folder) + 1);
}

static json_t *frames_json(const float *values, int vertices)
{
    json_t *frames = json_array();
    for (int f = 0; f < CONFORMANCE_FRAMES; f++) {
        json_t *frame = json_array();
        for (int v = 0; v < vertices; v++, values += 3)
            json_array_append_new(
                frame, json_pack("[f,f,f]", (double)values[0], (double)values[1], (double)values[2]));
        json_array_append_new(frames, frame);
    }
    return frames;
}

/* Writes what is expected of one method: positions, and normals unless NULL. */
static Status expected_write(const ConformanceCase *row, const char *folder, const char *method, int vertices,
                             const float *positions, const float *normals, json_t *list)
{
    const int64_t extents[3] = {CONFORMANCE_FRAMES, vertices, 3};
    json_t *expected = json_pack("{s:s}", "method", method);
    json_array_append_new(list, expected);
    for (int kind = 0; kind < 2 && (kind == 0 || normals); kind++) {
        const float *values = kind == 0 ? positions : normals;
        char path[PATH_BYTES], name[192];
        FILE *file = NULL;
        snprintf(name, sizeof name, "%s.%s%s.npy", row->name, method, kind == 0 ? "" : ".normals");
        snprintf(path, sizeof path, "%s/%s", folder, name);
        json_object_set_new(expected, kind == 0 ? "positions_npy" : "normals_npy", json_string(name));
        json_object_set_new(expected, kind == 0 ? "positions" : "normals", frames_json(values, vertices));
        STATUS_TRY(stream_create(path, "wbxe", name, &file));
        npy_write_header(file, NPY_FLOAT32, extents, 3);
        (void)fwrite(values, 3 * sizeof *values, (size_t)(extents[0] * extents[1]), file);
        STATUS_TRY(stream_finish(file, name));
    }
    return status_ok();
}

/* Whether a variant has the policy that its method uses unless told otherwise. */
static bool policy_is_usual(const IdentifyVariant *variant)
{
    const int row = variant->hemisphere_row;
    return row < 0 ||
           variant->parameters.values[row] == variant->entry->method->parameters[row].default_value;
}

/* Names a variant in words of lower-case letters and '-': "dqs-hierarchy-two-phases". The usual policy is
 * not named. */
static void method_name(IdentifyVariant variant, char name[64])
{
    if (policy_is_usual(&variant))
        variant.hemisphere_row = -1;
    identify_variant_format(&variant, name, 64);
    char *out = name;
    for (const char *in = name; *in; in++) {
        if (strncmp(in, "hemisphere=", 11) == 0)
            in += 11;
        if (*in != ',')
            *out++ = (char)(*in == ' ' ? '-' : *in);
    }
    *out = '\0';
}

/* Writes all files of a case, and its row of the README. */
static Status case_write(const ConformanceCase *row, const char *folder, const Progress *progress, FILE *page)
{
    char path[PATH_BYTES], imported[PATH_BYTES], name[64];
    const char *const input = path;
    const ImportOptions options = {.inputs = &input, .input_count = 1, .scale = 1.0, .progress = progress};
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    snprintf(path, sizeof path, "%s/%s.glb", folder, row->name);
    snprintf(imported, sizeof imported, "%s/%s.h5", folder, row->name);
    STATUS_TRY(conformance_case_write(row, path));
    STATUS_TRY(gltf_import(&options, imported));
    STATUS_TRY(dataset_read(imported, progress, &dataset));
    (void)remove(imported);
    const int vertices = dataset->mesh.vertex_count, values = 3 * CONFORMANCE_FRAMES * vertices;
    json_auto_t *object =
        json_pack("{s:s, s:s, s:i, s:s, s:s+, s:[i,i,i,i], s:i, s:[]}", "name", row->name, "trait",
                  row->trait, "version", CONFORMANCE_VERSION, "license", "MIT", "glb", row->name, ".glb",
                  "times_s", 0, 1, 2, 3, "vertices", vertices, "expected");
    json_t *list = json_object_get(object, "expected");
    fprintf(page, "| `%s` | %s |", row->name, row->trait);
    if (dataset->rig.joint_count == 0) { /* morph targets move, so the import has the positions */
        STATUS_TRY(expected_write(row, folder, "lbs", vertices, dataset->animation.positions, NULL, list));
        fprintf(page, " lbs");
    }
    LOCAL_TABLE(float, known, METHODS_MAX, values, "positions"); /* those of each method found so far */
    LOCAL_ARRAY(float, normals, values, "normals");
    int count = 0;
    for (int m = 0; m < 3 - 2 * row->linear_only && dataset->rig.joint_count > 0; m++) {
        IdentifyVariant variant; /* lbs, then dqs with its usual policy, then with the other policies */
        const SkinningEntry *entry = skinning_entry_find(m > 0 ? "dqs" : "lbs");
        for (int i = 0; identify_variant_make(entry, i, &variant); i++) {
            float *positions = known + (ptrdiff_t)count * values,
                  *row_normals = row->no_normals ? NULL : normals;
            if (policy_is_usual(&variant) != (m < 2))
                continue;
            variant.two_phase = m > 0 && dataset->rig.scale;
            CLEANUP(identify_rig_clear) Rig changed = {0};
            OWNED_BY(skinner_free) Skinner *skinner = NULL;
            Status status = identify_bind(&variant, dataset, row_normals != NULL, 1, &changed, &skinner);
            if (status.code == STATUS_OK)
                status = skinner_skin_rig(skinner, 0, CONFORMANCE_FRAMES, positions, row_normals);
            if (status.code != STATUS_OK && status.code != STATUS_BAD_INPUT)
                return status;
            /* a policy that gives the positions of another one is not a method of its own */
            bool is_new = status.code == STATUS_OK;
            for (int k = 0; k < count && is_new && m == 2; k++) {
                double max = 0.0;
                for (int value = 0; value < values; value++)
                    max = fmax(max,
                               fabs((double)positions[value] - (double)known[(ptrdiff_t)k * values + value]));
                is_new = max > IDENTIFY_TOLERANCE * bounds_of(dataset->mesh.rest, vertices).diagonal;
            }
            if (!is_new)
                continue;
            method_name(variant, name);
            STATUS_TRY(expected_write(row, folder, name, vertices, positions, row_normals, list));
            fprintf(page, "%s %s", count++ > 0 ? "," : "", name);
        }
    }
    fprintf(page, " |\n");
    return json_file_write(object, folder, row->name);
}

static Status cases_write(const char *folder, const Progress *progress, json_t *names, FILE *page)
{
    fputs(conformance_readme, page);
    for (int i = 0; i < conformance_case_count(); i++) {
        const ConformanceCase *row = conformance_case_at(i);
        json_array_append_new(names, json_string(row->name));
        if (!progress_report(progress, row->name, (double)i / conformance_case_count()))
            return status_make(STATUS_STOPPED, "stopped after %d cases", i);
        STATUS_TRY(case_write(row, folder, progress, page));
    }
    return status_ok();
}

Status conformance_write(const char *folder, const Progress *progress)
{
    CLEANUP(atomic_path_discard) AtomicPath path = {0};
    char page_path[PATH_BYTES];
    if (!skinning_entry_find("lbs") || !skinning_entry_find("dqs"))
        return status_make(STATUS_UNAVAILABLE, "this build lacks lbs or dqs, whose positions are expected");
    STATUS_TRY(atomic_path_start(folder, OUTPUT_FOLDER, &path));
    if (mkdir(path.temporary, 0777) != 0)
        return status_make(STATUS_SYSTEM, "%s: cannot be written: %s", folder, strerror(errno));
    snprintf(page_path, sizeof page_path, "%s/README.md", path.temporary);
    FILE *page = NULL;
    STATUS_TRY(status_in(folder, stream_create(page_path, "wbxe", "README.md", &page)));
    json_auto_t *pack = json_pack("{s:s, s:i, s:s, s:[]}", "schema", "skinbench-conformance", "version",
                                  CONFORMANCE_VERSION, "license", "MIT", "cases");
    Status status = cases_write(path.temporary, progress, json_object_get(pack, "cases"), page);
    const Status closed = stream_finish(page, "README.md");
    status = status.code == STATUS_OK ? closed : status;
    if (status.code == STATUS_OK)
        status = json_file_write(pack, path.temporary, "pack");
    STATUS_TRY(status_in(folder, status));
    return atomic_path_commit(&path);
}
