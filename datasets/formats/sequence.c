/* Finds the frames of a sequence in folders, patterns, files and archives, and visits them. Plain files are
 * visited in natural order of their names. */
#define _DEFAULT_SOURCE /* realpath */
#include "datasets/formats/sequence.h"

#include "datasets/io/file_name.h"
#include "datasets/io/input_file.h"

#include <ctype.h>
#include <strings.h>
#include <sys/stat.h>

static bool is_member(const FileSequence *sequence, const char *path)
{
    return path_has_suffix(path, sequence->suffix) && path_name(path)[0] != '.';
}

/* Skips "./" at the start of a path. */
static const char *path_start(const char *path)
{
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    return path;
}

/* Whether a name is a member's whole name, its file name, or its file name without suffix. */
static bool is_called(const FileSequence *sequence, const char *path, const char *wanted)
{
    const char *name = path_name(path);
    size_t length = strlen(wanted);
    return strcmp(path_start(path), path_start(wanted)) == 0 || strcmp(name, wanted) == 0 ||
           (strncmp(name, wanted, length) == 0 && strcasecmp(name + length, sequence->suffix) == 0);
}

/* Whether two paths lead to the same file. Hard links to one file remain different frames. */
static bool is_same_file(const char *a, const char *b)
{
    char whole_a[PATH_MAX], whole_b[PATH_MAX];
    return realpath(a, whole_a) && realpath(b, whole_b) && strcmp(whole_a, whole_b) == 0;
}

typedef enum MemberRole { ROLE_FRAME, ROLE_REST, ROLE_OTHER_REST } MemberRole;

/* Returns what a member is: a frame, the rest file, or a file called "rest" beside the wanted rest file. */
static MemberRole member_role(const FileSequence *sequence, const char *path)
{
    const char *wanted = sequence->wanted_rest;
    if (wanted && (is_called(sequence, path, wanted) || (!sequence->archive && is_same_file(path, wanted))))
        return ROLE_REST;
    if (!is_called(sequence, path, "rest"))
        return ROLE_FRAME;
    return wanted ? ROLE_OTHER_REST : ROLE_REST;
}

void sequence_text_clear(SequenceText *text)
{
    FREE_ALL(text->place, text->text);
    *text = (SequenceText){0};
}

/* Replaces a byte-order mark by blanks, and every CR that is not followed by an LF by an LF. In a binary
 * PLY file, the values after the header stay unchanged. */
static void text_normalise(SequenceText *text)
{
    static const char mark[] = "\xef\xbb\xbf", binary[] = "format binary", last[] = "end_header";
    char *start = text->text, *end = start + text->length;
    if (strncmp(start, mark, 3) == 0)
        memset(start, ' ', 3);
    start += strspn(start, " ");
    const char *line_end = start + strcspn(start, "\r\n");
    const bool alone = line_end[0] == '\r' && line_end[1] != '\n';
    bool packed = false;
    char *header = strncmp(start, "ply", 3) == 0 ? strstr(start, last) : NULL;
    for (const char *line = start; header && line && line < header; line = strpbrk(line + 1, "\r\n"))
        packed = packed || strncmp(line + 1, binary, sizeof binary - 1) == 0;
    if (packed)
        end = header + sizeof last; /* in a binary file, change only the header, because later bytes may be
                                       parts of values */
    for (char *cursor = start; (cursor = memchr(cursor, '\r', (size_t)(end - cursor))) != NULL; cursor++)
        if (cursor[1] != '\n' || (packed && alone))
            *cursor = '\n';
}

Status sequence_text_read(const char *path, SequenceText *out)
{
    sequence_text_clear(out);
    COPY_TEXT(out->place, path, "a text file");
    STATUS_TRY(input_file_read(path, INFINITY, &out->text, &out->length));
    text_normalise(out);
    return status_ok();
}

Status sequence_text_unpack(ArchiveReader *reader, SequenceText *out)
{
    STATUS_TRY(archive_reader_text(reader, &out->text, &out->length));
    text_normalise(out);
    return status_ok();
}

/* Appends a frame with a copy of the name. */
static Status frame_append(FileSequence *sequence, const char *name)
{
    GROW(sequence->frames, sequence->frame_count, "file names");
    COPY_TEXT(sequence->frames[sequence->frame_count], name, "file names");
    sequence->frame_count++;
    return status_ok();
}

/* Compares the names at two places in natural order. */
static int names_compare(const void *a, const void *b)
{
    return natural_compare(*(const char *const *)a, *(const char *const *)b);
}

/* Adds a plain file, found by its name or by a pattern, as a frame or as the rest file. */
static Status file_append(void *context, const char *path)
{
    FileSequence *sequence = context;
    const MemberRole role = member_role(sequence, path);
    if (role != ROLE_REST)
        return role == ROLE_FRAME ? frame_append(sequence, path) : status_ok();
    memory_free(sequence->rest);
    COPY_TEXT(sequence->rest, path, "a file name");
    return status_ok();
}

static Status match_append(void *context, const char *path)
{
    return is_member(context, path) ? file_append(context, path) : status_ok();
}

static Status input_list(FileSequence *sequence, const char *input, int input_count)
{
    struct stat facts;
    if (stat(input, &facts) != 0) {
        int reason = errno;
        if (strpbrk(input, "*?["))
            return pattern_each(input, match_append, sequence);
        return bad_input("%s: cannot be opened: %s", input, strerror(reason));
    }
    if (!S_ISDIR(facts.st_mode) && path_has_suffix(input, sequence->suffix))
        return input_count == 1 && !sequence->wanted_rest ? frame_append(sequence, input)
                                                          : file_append(sequence, input);
    if (input_count > 1)
        return bad_input("%s: a folder or archive must be the only input, %d were given", input, input_count);
    if (S_ISDIR(facts.st_mode)) {
        OWNED_BY(closedir) DIR *folder = opendir(input);
        if (!folder)
            return input_failure(input, "opened");
        for (struct dirent *entry = NULL; (entry = readdir(folder)) != NULL;) {
            if (!is_member(sequence, entry->d_name))
                continue;
            const bool slash = input[strlen(input) - 1] == '/';
            OWNED char *member = path_join(input, slash ? "" : "/", entry->d_name);
            ALLOCATED(member, "a file name");
            STATUS_TRY(file_append(sequence, member));
        }
        return status_ok();
    }
    COPY_TEXT(sequence->archive, input, "a file name");
    return status_ok();
}

static Status empty_refuse(const FileSequence *sequence, const char *input)
{
    if (sequence->rest && strcmp(sequence->rest, input) == 0)
        return bad_input("%s: is the rest pose, according to its name, but no frames were given", input);
    if (sequence->rest)
        return bad_input("%s: holds no frames besides the rest pose %s", input, sequence->rest);
    return bad_input("%s: holds no file whose name ends in %s", input, sequence->suffix);
}

Status sequence_open(const char *const *inputs, int input_count, const char *suffix, const char *rest,
                     FileSequence *out)
{
    *out = (FileSequence){.suffix = suffix, .wanted_rest = rest};
    for (int i = 0; i < input_count; i++)
        STATUS_TRY(input_list(out, inputs[i], input_count));
    if (rest && !out->rest) {
        COPY_TEXT(out->rest, rest, "a file name");
    }
    if (!out->archive && out->frame_count == 0)
        STATUS_TRY(empty_refuse(out, inputs[0]));
    if (!out->archive)
        qsort((void *)out->frames, (size_t)out->frame_count, sizeof *out->frames, names_compare);
    return status_ok();
}

void sequence_close(FileSequence *sequence)
{
    for (int i = 0; i < sequence->frame_count; i++)
        memory_free(sequence->frames[i]);
    FREE_ALL((void *)sequence->frames, sequence->archive, sequence->rest);
    sequence_text_clear(&sequence->text);
    *sequence = (FileSequence){0};
}

static Status file_visit(FileSequence *sequence, const char *path, int frame, SequenceVisitor visitor,
                         void *context)
{
    STATUS_TRY(sequence_text_read(path, &sequence->text));
    return visitor(context, frame, &sequence->text);
}

Status sequence_visit(FileSequence *sequence, SequenceVisitor visitor, void *context)
{
    if (sequence->archive) {
        OWNED_BY(archive_reader_close) ArchiveReader *reader = NULL;
        SequenceText *text = &sequence->text;
        const char *name = NULL;
        bool with_rest = false;
        STATUS_TRY(archive_reader_open(sequence->archive, &reader));
        for (;;) {
            STATUS_TRY(archive_reader_next(reader, &name));
            if (!name)
                break;
            if (!is_member(sequence, name))
                continue;
            const MemberRole role = member_role(sequence, name);
            if (role == ROLE_OTHER_REST)
                continue;
            const bool rest = role == ROLE_REST;
            if (!rest)
                STATUS_TRY(frame_append(sequence, name));
            sequence_text_clear(text);
            text->place = path_join(sequence->archive, ":", name);
            ALLOCATED(text->place, "a file name");
            STATUS_TRY(sequence_text_unpack(reader, text));
            sequence->share = archive_reader_share(reader);
            STATUS_TRY(visitor(context, rest ? SEQUENCE_REST : sequence->frame_count - 1, text));
            with_rest = with_rest || rest;
        }
        if (sequence->rest && !with_rest)
            STATUS_TRY(file_visit(sequence, sequence->rest, SEQUENCE_REST, visitor, context));
        return status_ok();
    }
    if (sequence->rest)
        STATUS_TRY(file_visit(sequence, sequence->rest, SEQUENCE_REST, visitor, context));
    for (int i = 0; i < sequence->frame_count; i++) {
        sequence->share = (i + 1.0) / sequence->frame_count;
        STATUS_TRY(file_visit(sequence, sequence->frames[i], i, visitor, context));
    }
    return status_ok();
}

/* The name and the number of a frame. names_compare compares the names. */
typedef struct NumberedName {
    const char *name;
    int32_t number;
} NumberedName;

Status sequence_order(const FileSequence *sequence, const char *input, int32_t **out)
{
    const int count = sequence->frame_count;
    *out = NULL;
    if (count == 0)
        return empty_refuse(sequence, input);
    LOCAL_ARRAY(NumberedName, names, count, "file names");
    LOCAL_ARRAY(int32_t, order, count, "file names");
    for (int32_t i = 0; i < count; i++)
        names[i] = (NumberedName){sequence->frames[i], i};
    qsort(names, (size_t)count, sizeof *names, names_compare);
    for (int i = 0; i < count; i++) {
        if (i > 0 && strcmp(names[i - 1].name, names[i].name) == 0)
            return bad_input("%s: %s occurs twice", input, names[i].name);
        order[i] = names[i].number;
    }
    *out = TAKE(order);
    return status_ok();
}

/* Compares the decimal numbers at *a and *b, and advances past them. */
static int numbers_compare(const char **a, const char **b)
{
    while (**a == '0' && isdigit((unsigned char)(*a)[1]))
        ++*a;
    while (**b == '0' && isdigit((unsigned char)(*b)[1]))
        ++*b;
    static const char digits[] = "0123456789";
    const size_t length_a = strspn(*a, digits), length_b = strspn(*b, digits);
    if (length_a != length_b)
        return length_a < length_b ? -1 : 1;
    int order = memcmp(*a, *b, length_a);
    *a += length_a;
    *b += length_b;
    return order;
}

int natural_compare(const char *a, const char *b)
{
    const char *next_a = a, *next_b = b;
    while (*next_a && *next_b) {
        int order = 0;
        if (isdigit((unsigned char)*next_a) && isdigit((unsigned char)*next_b))
            order = numbers_compare(&next_a, &next_b);
        else
            order = (unsigned char)*next_a++ - (unsigned char)*next_b++;
        if (order != 0)
            return order;
    }
    if (*next_a || *next_b)
        return *next_a ? 1 : -1;
    return strcmp(a, b);
}
