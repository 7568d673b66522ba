/* Detects the format of an input. Each row of the table of formats examines the first bytes of a file. If
 * no row recognises them, the file name decides. A folder, pattern or archive has the format of its first
 * member with a known extension. */
#include "datasets/formats/formats.h"

#include "datasets/formats/sequence.h"
#include "datasets/io/file_name.h"
#include "datasets/io/input_file.h"

#include <ctype.h>
#include <sys/stat.h>

static const Format *by_extension(const char *name)
{
    for (int i = 0; i < format_count(); i++)
        if (format_has_extension(format_at(i), name))
            return format_at(i);
    return NULL;
}

static const Format *by_content(const FormatSample *sample)
{
    for (int i = 0; i < format_count(); i++)
        if (format_recognises(format_at(i), sample))
            return format_at(i);
    return NULL;
}

/* Keeps a member if its format is known and its name precedes the name kept so far, in natural order. Skips
 * hidden members. */
static Status member_consider(void *context, const char *path)
{
    char **first = context;
    const char *name = path_name(path);
    if (name[0] == '.' || !by_extension(name) || (*first && natural_compare(path, *first) >= 0))
        return status_ok();
    memory_free(*first);
    COPY_TEXT(*first, path, "a file name");
    return status_ok();
}

/* Says what a file of no known format looks like, judged by its first bytes. */
static const char *appearance(const FormatSample *sample)
{
    static const struct {
        const char *start, *what;
    } known[] = {{"\x89PNG", "a picture (PNG)"},
                 {"\xff\xd8\xff", "a picture (JPEG)"},
                 {"%PDF", "a PDF document"},
                 {"\x7f"
                  "ELF",
                  "a program"},
                 {"PK", "a ZIP archive without files that are read, or a damaged one"},
                 {"\x1f\x8b", "a gzip archive without files that are read, or a damaged one"},
                 {"\xfd"
                  "7zXZ",
                  "an xz archive without files that are read, or a damaged one"},
                 {"{\"schema\"", "a result file, which `skinbench report` reads"},
                 {"{", "JSON"},
                 {"[", "JSON"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (format_sample_starts(sample, known[i].start))
            return known[i].what;
    for (size_t i = 0; i < sample->size; i++)
        if (sample->head[i] < ' ' && !isspace(sample->head[i]))
            return "binary data";
    return "text";
}

/* Makes the failure of a file of no known format: what it looks like, and which files are read. */
static Status format_unknown(const char *input, const FormatSample *sample)
{
    char endings[512] = "";
    for (int i = 0; i < format_count(); i++)
        if (format_at(i)->import && !strstr(endings, format_at(i)->extensions))
            text_append(endings, sizeof endings, " %s", format_at(i)->extensions);
    return bad_input("%s: has an unknown format; it looks like %s. The files that are read end in .h5%s "
                     "(`skinbench list formats` describes them)",
                     input, appearance(sample), endings);
}

/* Detects the format of a plain file, which may be a member of a folder. Sets *out to NULL for an
 * archive, and *unknown to the failure if it turns out to contain no known format. */
static Status file_detect(const char *input, const char *path, const Format **out, Status *unknown)
{
    unsigned char head[FORMAT_HEAD_BYTES];
    OWNED_BY(fclose) FILE *file = NULL;
    STATUS_TRY(input_stream_open(path, &file, NULL));
    FormatSample sample = {.path = input, .name = path, .head = head};
    sample.size = fread(head, 1, sizeof head, file);
    if (ferror(file))
        return input_failure(path, "read");
    if (sample.size == 0)
        return bad_input("%s: is an empty file", path);
    *out = by_content(&sample);
    *out = *out ? *out : by_extension(path);
    *unknown = format_unknown(input, &sample);
    return status_ok();
}

/* Detects an archive's format by its first stored member with a known format. Finding the first member by
 * name would require reading the whole archive, which takes as long as the import. */
static Status archive_detect(const char *path, const Format **out)
{
    OWNED_BY(archive_reader_close) ArchiveReader *reader = NULL;
    OWNED char *text = NULL;
    STATUS_TRY(archive_reader_open(path, &reader));
    for (const char *name = NULL; !*out;) {
        STATUS_TRY(archive_reader_next(reader, &name));
        if (!name)
            break;
        if (path_name(name)[0] == '.' || !by_extension(name))
            continue;
        size_t length = 0;
        STATUS_TRY(archive_reader_text(reader, &text, &length));
        const FormatSample sample = {.path = path,
                                     .name = name,
                                     .head = (const unsigned char *)text,
                                     .size = size_min(length, FORMAT_HEAD_BYTES)};
        *out = by_content(&sample);
        *out = *out ? *out : by_extension(name);
    }
    return status_ok();
}

Status format_detect(const char *input, const Format **out)
{
    OWNED char *first = NULL; /* the first member of a folder or pattern */
    struct stat facts;
    Status unknown =
        bad_input("%s: matches no file of a known format (`skinbench list formats` lists them)", input);
    *out = NULL;
    if (stat(input, &facts) != 0) {
        int reason = errno;
        if (!strpbrk(input, "*?["))
            return bad_input("%s: cannot be opened: %s", input, strerror(reason));
        STATUS_TRY(pattern_each(input, member_consider, &first));
    } else if (S_ISDIR(facts.st_mode)) {
        OWNED_BY(closedir) DIR *folder = opendir(input);
        if (!folder)
            return input_failure(input, "opened");
        bool empty = true;
        for (struct dirent *entry = NULL; (entry = readdir(folder)) != NULL;) {
            empty = empty && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
            STATUS_TRY(member_consider(&first, entry->d_name));
        }
        if (empty)
            return bad_input("%s: is an empty folder", input);
        if (!first)
            return bad_input("%s: this folder contains no file of a known format (`skinbench list formats` "
                             "lists the formats)",
                             input);
        char *whole = path_join(input, "/", first);
        ALLOCATED(whole, "a file name");
        memory_free(first);
        first = whole;
    } else {
        STATUS_TRY(file_detect(input, input, out, &unknown));
        const Status archive = *out ? status_ok() : archive_detect(input, out);
        if (archive.code == STATUS_SYSTEM)
            return archive;
    }
    if (first)
        STATUS_TRY(file_detect(input, first, out, &unknown));
    const char *ending = strrchr(input, '.');
    if (!*out && ending && strcmp(ending, ".blend") == 0)
        return bad_input("%s: is a Blender file: `blender -b -P scripts/convert-with-blender.py -- %s "
                         "NAME.pc2` converts it (or export glTF, which keeps the rig)",
                         input, input);
    return *out ? status_ok() : unknown;
}

Status format_explain(Status status, const char *path)
{
    const Format *format = NULL;
    struct stat facts;
    if (status.code != STATUS_BAD_INPUT || stat(path, &facts) != 0)
        return status;
    const Status detected = format_detect(path, &format);
    if (detected.code == STATUS_BAD_INPUT)
        return detected;
    if (!format || strcmp(format->name, "skinbench") == 0)
        return status;
    if (!format->import)
        return bad_input("%s; it is %s: %s", status.text, format->title, format->lacking);
    return bad_input("%s; `skinbench import %s %s -o FILE.h5` converts it to a data set", status.text,
                     format->name, path);
}

Status dataset_load(const char *path, const Progress *progress, Dataset **out)
{
    return format_explain(dataset_read(path, progress, out), path);
}

Status dataset_open(const char *path, const Progress *progress, DatasetReader **out, const Dataset **header)
{
    return format_explain(dataset_reader_open(path, progress, out, header), path);
}

void file_imports_clear(FileImports *imports)
{
    temporary_folder_remove(imports->folder);
    *imports = (FileImports){0};
}

Status file_import(FileImports *imports, const Format *format, const char *given, const char *mesh,
                   const Progress *progress, char path[FILE_IMPORT_PATH_BYTES])
{
    const char *name = path_name(given), *ending = strrchr(name, '.');
    const int length = ending && ending > name ? (int)(ending - name) : (int)strlen(name);
    const ImportOptions options = {
        .inputs = &given, .input_count = 1, .mesh = mesh, .scale = 1.0, .progress = progress};
    if (!imports->folder)
        STATUS_TRY(temporary_folder_make(temporary_folder_parent(), given, &imports->folder));
    /* Two files may have the same name, so each import has a folder of its own. */
    const int folder = snprintf(path, FILE_IMPORT_PATH_BYTES, "%s/%d", temporary_folder_path(imports->folder),
                                ++imports->count);
    if (folder + length + (int)sizeof "/.h5" > FILE_IMPORT_PATH_BYTES)
        return bad_usage("%.200s...: the path is too long", given);
    if (mkdir(path, 0700) != 0)
        return status_make(STATUS_SYSTEM, "%s: %s", path, strerror(errno));
    snprintf(path + folder, (size_t)(FILE_IMPORT_PATH_BYTES - folder), "/%.*s.h5", length, name);
    return format->import(&options, path);
}

Status dataset_load_any(const char *path, const char *mesh, const Progress *progress, Dataset **out)
{
    CLEANUP(file_imports_clear) FileImports imports = {0};
    const Format *format = NULL, *mesh_format = NULL;
    char copy[FILE_IMPORT_PATH_BYTES], mesh_copy[FILE_IMPORT_PATH_BYTES];
    const Status read = dataset_read(path, progress, out);
    if (read.code != STATUS_BAD_INPUT || format_detect(path, &format).code != STATUS_OK || !format->import)
        return format_explain(read, path);
    mesh = format->options & FORMAT_MESH ? mesh : NULL;
    if (mesh)
        STATUS_TRY(format_detect(mesh, &mesh_format));
    if (mesh && mesh_format->import) {
        STATUS_TRY(file_import(&imports, mesh_format, mesh, NULL, progress, mesh_copy));
        mesh = mesh_copy;
    }
    STATUS_TRY(file_import(&imports, format, path, mesh, progress, copy));
    return dataset_read(copy, progress, out);
}

Status dataset_probe(const char *path, const Progress *progress)
{
    OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
    const Dataset *header = NULL;
    return dataset_open(path, progress, &reader, &header);
}
