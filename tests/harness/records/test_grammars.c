/* Every kind of file that users exchange is read with an invalid value in each member in turn. The value
 * must be refused with the member's name, unless the member is listed here as free text, a label or a
 * signed number. A new member must be strict until it is listed. */
#include "tests/result_objects.h"
#include "tests/support.h"

#include "harness/records/files/environment_record.h"
#include "harness/records/files/record_json.h"
#include "harness/records/files/results.h"
#include "harness/records/guard/accepted.h"
#include "harness/records/papers/claim.h"
#include "harness/records/papers/published.h"

typedef Status Reader(const json_t *root, const char *name);

typedef struct FileWalk {
    Reader *read;
    const char *name; /* name of the file, for the reader's messages */
    json_t *root;
    json_t *seen; /* members already tried; each member is tried once per kind of file, although many list
                     elements contain it */
    int tried;
} FileWalk;

/* Members that are not checked here, given by the end of their path. A name alone stands for all members of
 * this name, and "a." for all members within a. */
static const char *const free_texts[] = {
    "reason",  "device",    "build_type", "compiler",   "flags",         "model",        "governor",
    "hdf5",    "openblas",  "jansson",    "libarchive", "libc",          "openmp",       "kernel",
    "release", "machine",   "cuda",       "opencl",     "nvidia_driver", "title",        "unit",
    "place",   "paper",     "notes[]",    "x_title",    "y_title",       "beside_title", "found",
    "claim",   "published", "note",       "untestable", "source",        "set[]",        "greatest"};
static const char *const labels[] = {"dataset.name",     "row",   "rows[].name",
                                     "stand_ins[].name", "group", "changes[].name"};
/* Members whose values are checked elsewhere. For example, a cell name must occur in the table. */
static const char *const others[] = {"schema", "kind", "rows[]", "columns[]", "timed[]"};
static const char *const signed_numbers[] = {"volume_change_percent_min",
                                             "volume_change_percent_max",
                                             "volume_change_percent_per_frame[]",
                                             "e_rms_per_frame[]",
                                             "tolerance",
                                             "reference_distance_max",
                                             "reference_normal_difference_max",
                                             "iteration",
                                             "value",
                                             "least",
                                             "most",
                                             "ours",
                                             "at[]"};

static bool ends_with(const char *path, const char *end)
{
    const size_t length = strlen(path), tail = strlen(end);
    return length >= tail && strcmp(path + length - tail, end) == 0 &&
           (length == tail || path[length - tail - 1] == '.');
}

static bool is_listed(const char *path, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ends_with(path, list[i]))
            return true;
    return false;
}
#define IS_LISTED(path, list) is_listed(path, list, sizeof(list) / sizeof *(list))

static bool is_within(const char *path, const char *group)
{
    return strncmp(path, group, strlen(group)) == 0 || strstr(path, text_of(".%s", group)) != NULL;
}

/* Replaces the value at this place by `bad` and reads the file. If `refused`, the message must name the
 * member. */
static void assert_refused_at(FileWalk *walk, json_t *parent, const char *key, size_t index, const char *path,
                              json_t *bad, bool refused)
{
    json_t *before = json_incref(key ? json_object_get(parent, key) : json_array_get(parent, index));
    char *shown = json_dumps(bad, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    const char *dot = strrchr(path, '.'), *const name = dot ? dot + 1 : path;
    if (key)
        json_object_set_new(parent, key, bad);
    else
        json_array_set_new(parent, index, bad);
    const Status status = walk->read(walk->root, walk->name);
    fail_if(refused && (status.code != STATUS_BAD_INPUT || strlen(status.text) == 0),
            "%s: %s is read as %.80s", walk->name, path, shown);
    fail_if(refused && !strstr(status.text, text_of("%.*s", (int)strcspn(name, "["), name)),
            "%s is not named: %s", path, status.text);
    for (const char *cursor = status.text; *cursor; cursor++)
        assert_true((unsigned char)*cursor >= ' ' && *cursor != '\x7f');
    if (key)
        json_object_set_new(parent, key, before);
    else
        json_array_set_new(parent, index, before);
    free(shown);
    walk->tried++;
}

static void value_try(FileWalk *walk, json_t *parent, const char *key, size_t index, const char *path)
{
    static const char *const controls[] = {"a\nb", "\x1b[31m", "a\xc2\x9b", "a\xe2\x80\xae", "\x7f"};
    static const char *const signs[] = {"a`b`", "$(b)", "../b", "\"><b>", "a'b",     "!b",
                                        "=b",   "-b",   ".b",   "a b",    "\xc3\xa4"};
    static const double numbers[] = {1e308, -1e308, 1e61, -1e61};
    const json_t *value = key ? json_object_get(parent, key) : json_array_get(parent, index);
    const bool is_setting = is_within(path, "parameters") || is_within(path, "settings");
    if (IS_LISTED(path, others))
        return;
    if (json_is_string(value)) {
        const bool label = IS_LISTED(path, labels) || is_setting;
        if (!label && IS_LISTED(path, free_texts))
            return;
        for (size_t i = 0; i < sizeof controls / sizeof *controls; i++)
            assert_refused_at(walk, parent, key, index, path, json_string(controls[i]), true);
        for (size_t i = 0; i < sizeof signs / sizeof *signs && !label; i++)
            assert_refused_at(walk, parent, key, index, path, json_string(signs[i]), true);
        char *text = memory_array(100000, 1);
        memset(text, 'a', 99999);
        assert_refused_at(walk, parent, key, index, path, json_string(text), !is_setting);
        memory_free(text);
        assert_refused_at(walk, parent, key, index, path, json_integer(7), !is_setting);
    } else if (json_is_number(value)) {
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            assert_refused_at(walk, parent, key, index, path, json_real(numbers[i]), true);
        const bool is_signed = is_setting || IS_LISTED(path, signed_numbers) || is_within(path, "measures") ||
                               is_within(path, "curves") || is_within(path, "rows[].published");
        assert_refused_at(walk, parent, key, index, path, json_integer(-1), !is_signed);
        assert_refused_at(walk, parent, key, index, path, json_string("1"), !is_setting);
    }
}

static void node_walk(FileWalk *walk, json_t *node, const char *path);

static void member_walk(FileWalk *walk, json_t *parent, const char *key, size_t index, const char *path)
{
    const char *member_path = key ? text_of("%s%s%s", path, path[0] ? "." : "", key) : text_of("%s[]", path);
    json_t *value = key ? json_object_get(parent, key) : json_array_get(parent, index);
    if (json_is_object(value) || json_is_array(value)) {
        node_walk(walk, value, member_path);
    } else if (!json_object_get(walk->seen, member_path)) {
        json_object_set_new(walk->seen, member_path, json_true());
        value_try(walk, parent, key, index, member_path);
    }
}

static void node_walk(FileWalk *walk, json_t *node, const char *path)
{
    static const char *const named[] = {"metrics", "holdout", "measures", "curves", "counts", "parameters"};
    static const char *const names[] = {"", "a`b`", "\x1b", "-a", "a/b", "a b"};
    const char *key = NULL;
    json_t *value = NULL;
    for (size_t i = 0; i < json_array_size(node); i++)
        member_walk(walk, node, NULL, i, path);
    json_t *copy = json_copy(node); /* the walk changes members */
    if (json_is_object(node))
        json_object_foreach(copy, key, value) member_walk(walk, node, key, 0, path);
    json_decref(copy);
    for (size_t i = 0; i < sizeof names / sizeof *names && json_is_object(node) && IS_LISTED(path, named);
         i++) {
        json_object_set_new(node, names[i], json_integer(1));
        const Status status = walk->read(walk->root, walk->name);
        fail_if(status.code != STATUS_BAD_INPUT, "%s: %s.%s is read", walk->name, path, names[i]);
        json_object_del(node, names[i]);
    }
}

/* Tries all members of a file or a line, which must be readable before any change. */
static void file_walk(FileWalk *walk, json_t *root, const char *name)
{
    assert_non_null(root);
    walk->root = root;
    walk->name = name;
    assert_ok(walk->read(root, name));
    node_walk(walk, root, "");
    json_decref(root);
}

static Status line_read(const json_t *line, UNUSED const char *name)
{
    CLEANUP(record_clear) Record record = {0};
    EnvironmentRecord environment;
    return json_is_environment_record(line) ? environment_record_from_json(line, "x:1", &environment)
                                            : record_from_json(line, "x:1", &record);
}

/* The stored file contains a record of every kind. The second list adds the stages of a fit and the stage
 * `frame`, which only older files contain. */
TEST(every_member_of_a_record)
{
    static const char *const more[] = {
        "{'schema':1,'kind':'decomposition','dataset':{'name':'a','sha256':'" DIGEST_OF(
            "1") "'},'method':'svd',"
                 "'backend':'host','parameters':{'bones':4,'error':0.5,'set':['a=1'],'list':[{'end':'tip'}]},"
                 "'threads':1,"
                 "'end':'exact','metrics':{'holdout':{'e_rms':3.5}},'stages':[{'iteration':0,'e_rms':9.0,'"
                 "elapsed_s':0.5}],"
                 "'search':[{'bones':1,'bones_delivered':1,'e_rms':8.0,'total_s':0.25}],'size_bytes':5,'"
                 "study':'s',"
                 "'table':'t','row':'r','run':'1'}",
        "{'schema':1,'kind':'skinning','dataset':{'name':'a','sha256':'" DIGEST_OF(
            "1") "'},'method':'lbs',"
                 "'backend':'simd','level':'v3','parameters':{},'timing':{'rounds':2,'disturbed':1,'end_to_"
                 "end':{'median_s':"
                 "0.5,'inner':1,'samples_s':[0.5]},'ratio_to_lbs_end_to_end':{'median':1.0},'device':{'"
                 "kernel_s':1,"
                 "'cold_kernel_s':1,'copy_s':1,'cold_copy_s':1,'moved_bytes':1,'frame_kernel_s':1,'upload_s':"
                 "1,"
                 "'download_s':1}},'joint_sets':1,'frames':1}"};
    FileWalk walk = {.read = line_read, .seen = json_object()};
    json_auto_t *lines = NULL;
    bool torn;
    assert_ok(results_read(text_of("%s/tests/fuzz/corpus/results/run", environment_home()), &lines, &torn));
    for (size_t i = 0; i < json_array_size(lines); i++)
        file_walk(&walk, json_deep_copy(json_array_get(lines, i)), "run");
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        file_walk(&walk, json_loads(quoted(more[i]), 0, NULL), "more");
    assert_true(json_object_size(walk.seen) > 150 && walk.tried > 1500);
    json_decref(walk.seen);
}

static Status table_read(const json_t *root, const char *name)
{
    OWNED_BY(published_table_free) PublishedTable *table = NULL;
    return published_table_from_json(json_deep_copy(root), "x", name, &table);
}

static void files_walk(FileWalk *walk, const char *within)
{
    CLEANUP(file_list_clear) FileList files = {.count = 0};
    assert_ok(published_files_find(within, &files));
    for (int i = 0; i < files.count; i++) {
        const char *name = files.entries[i]->d_name;
        json_t *root = NULL;
        assert_ok(json_file_read(text_of("%s/%s.json", files.folder, name), &root));
        file_walk(walk, root, name);
    }
}

static Status claims_read(const json_t *root, const char *name)
{
    OWNED_BY(claim_set_free) ClaimSet *set = NULL;
    return claim_set_from_json(json_deep_copy(root), "x", name, &set);
}

TEST(every_member_of_tables_and_claims)
{
    FileWalk walk = {.read = table_read, .seen = json_object()};
    files_walk(&walk, "");
    assert_true(json_object_size(walk.seen) > 60);
    json_decref(walk.seen);
    walk = (FileWalk){.read = claims_read, .seen = json_object()};
    files_walk(&walk, "/claims");
    assert_true(json_object_size(walk.seen) > 15);
    json_decref(walk.seen);
}

static Status acceptance_read(const json_t *root, UNUSED const char *name)
{
    CLEANUP(accepted_clear) Accepted accepted = {.methods = NULL};
    const char *path = path_of("accepted.json");
    assert_int_equal(json_dump_file(root, path, JSON_REAL_PRECISION(17)), 0);
    return accepted_read(path, &accepted);
}

TEST(every_member_of_an_acceptance)
{
    FileWalk walk = {.read = acceptance_read, .seen = json_object()};
    json_t *root = NULL;
    assert_ok(json_file_read(text_of("%s/results/baseline/accepted.json", environment_home()), &root));
    json_object_set_new(root, "changes",
                        json_pack("[{s:s, s:b, s:s, s:s, s:s, s:i, s:s, s:s}]", "name", "study cor-fig2",
                                  "open", 1, "date", "2026-01-31", "since", "1234567", "reason", "why",
                                  "worse", 3, "found", "worse", "greatest", "bar: cor: gain 1 to 2"));
    file_walk(&walk, root, "accepted");
    assert_int_equal(json_object_size(walk.seen), 10 + 8);
    json_decref(walk.seen);
}
