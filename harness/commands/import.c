/* skinbench import [FORMAT] INPUT... -o FILE: converts files of another format to a data set file. */
#include "harness/commands/commands.h"

#include "datasets/io/atomic_path.h"

const CommandOption import_options[] = {
    {"output", "FILE", "the data set file to write"},
    {"rest", "first|FILE",
     "the rest pose: the first frame, or a file (inside the input or elsewhere); for point caches, a mesh "
     "with "
     "faces (default: a member called rest, else the first frame)"},
    {"mesh", "FILE", "for a rig without a mesh (ssd): the mesh it moves, in any file that can be imported"},
    {"fps", "NUMBER", "frames per second (default: the file's own times, else 30)"},
    {"clip", "NAME", "the animation to import (default: all animations, one after the other)"},
    {"scale", "NUMBER", "multiply every coordinate by this number (default 1)"},
    {"order", "joint-sets|original",
     "formats with rigs: sort the vertices by joint set, which skins fastest; the file also stores the "
     "original order, which measure and export use (default: original)"},
    {"name", "NAME", "short name of the data set (default: from the input)"},
    {"title", "TEXT", "description of the data set in one line"},
    {"source", "TEXT", "where the data set comes from"},
    {"license", "TEXT", "its licence"},
    {NULL, NULL, NULL},
};

enum { NOTES_BYTES = 1 << 14 }; /* bytes for all notes; further notes are dropped */

/* Notes made during an import, one per line. They are printed only after success, because a failure prints
 * a single line. They are stored in a fixed buffer, so that lack of memory for a note cannot spoil a
 * complete data set. */
typedef struct Notes {
    size_t used;
    char lines[NOTES_BYTES];
} Notes;

static void note_keep(void *context, const char *text)
{
    Notes *notes = context;
    const size_t length = strlen(text);
    if (length + 1 >= NOTES_BYTES - notes->used)
        return;
    memcpy(notes->lines + notes->used, text, length);
    notes->used += length;
    notes->lines[notes->used++] = '\n';
}

/* Passes each note to `take`. */
static void notes_each(Notes *notes, void (*take)(void *context, const char *text), void *context)
{
    for (char *line = notes->lines; line < notes->lines + notes->used; line += strlen(line) + 1) {
        *strchr(line, '\n') = '\0';
        take(context, line);
    }
}

static void note_append(void *array, const char *text)
{
    (void)json_array_append_new(array, json_text(text));
}

/* Chooses the format. It is the first argument, if that names a format and inputs follow; otherwise it is
 * detected from the first input. */
static Status format_choose(const CommandLine *line, const Format **format, int *first_input)
{
    const char *name = command_line_argument(line, 0);
    Status status = status_ok();
    *format = line->argument_count > 1 ? format_find(name) : NULL;
    *first_input = *format ? 1 : 0;
    if (!*format)
        status = format_detect(name, format);
    if (status.code != STATUS_OK && format_find(name))
        return bad_usage("%s is a format; name the input files after it", name);
    if (status.code == STATUS_BAD_INPUT && line->argument_count > 1 && !strpbrk(name, "./*?["))
        return format_suggest(
            name, false,
            bad_usage("no format '%s' can be imported (see `skinbench list formats`), and %s", name,
                      status.text));
    if (status.code == STATUS_OK && !(*format)->import)
        status =
            status_make((*format)->package ? STATUS_UNAVAILABLE : STATUS_BAD_INPUT, "%s: the file is %s: %s",
                        command_line_argument(line, *first_input), (*format)->title, (*format)->lacking);
    return status;
}

/* If --mesh names a file that is not a data set, imports that file to a temporary data set. */
static Status mesh_import(ImportOptions *import, const char *output, AtomicPath *made)
{
    const Format *format = NULL;
    STATUS_TRY(format_detect(import->mesh, &format));
    if (!format->import)
        return status_ok();
    const ImportOptions options = {.inputs = &import->mesh,
                                   .input_count = 1,
                                   .scale = 1.0,
                                   .progress = import->progress,
                                   .notes = import->notes};
    STATUS_TRY(atomic_path_start(output, OUTPUT_FILE, made));
    STATUS_TRY(format->import(&options, made->temporary));
    import->mesh = made->temporary;
    return status_ok();
}

Status import_run(const CommandLine *line)
{
    const char *output = NULL;
    const Format *format = NULL;
    int first = 0;
    CLEANUP(atomic_path_discard) AtomicPath mesh = {0};
    Notes notes = {0};
    const FormatNotes sink = {note_keep, &notes};
    ImportOptions import = {.rest = command_line_value(line, "rest"),
                            .clip = command_line_value(line, "clip"),
                            .mesh = command_line_value(line, "mesh"),
                            .name = command_line_value(line, "name"),
                            .title = command_line_value(line, "title"),
                            .source = command_line_value(line, "source"),
                            .license = command_line_value(line, "license"),
                            .progress = &line->progress,
                            .notes = &sink};
    LOCAL_ARRAY(const char *, inputs, line->argument_count, "file names");
    STATUS_TRY(command_line_output(line, &output));
    STATUS_TRY(command_line_real(line, "fps", 0.0, 1e-6, 1e6, &import.fps));
    STATUS_TRY(command_line_real(line, "scale", 1.0, 1e-30, 1e30, &import.scale));
    STATUS_TRY(format_choose(line, &format, &first));
    /* refuse options that the format does not use */
    static const struct {
        const char *option;
        unsigned bit;
        const char *what;
    } rows[] = {{"rest", FORMAT_REST, "does not take another rest pose"},
                {"fps", FORMAT_FPS, "has its own frame times"},
                {"clip", FORMAT_CLIP, "has no clips"},
                {"scale", FORMAT_SCALE, "cannot be scaled"},
                {"order", FORMAT_RIG, "has no rig"},
                {"mesh", FORMAT_MESH, "has its own mesh"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (command_line_value(line, rows[i].option) && !(format->options & rows[i].bit))
            return bad_usage("--%s: the format %s %s", rows[i].option, format->name, rows[i].what);
    static const char *const texts[] = {"name", "title", "source", "license"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *text = command_line_value(line, texts[i]);
        if (text && !text_is_utf8(text))
            return bad_usage("--%s is '%s', which is not valid UTF-8", texts[i], text);
    }
    STATUS_TRY(vertex_ordering_named(command_line_value(line, "order"), &import.ordering));
    for (int i = first; i < line->argument_count; i++)
        inputs[import.input_count++] = command_line_argument(line, i);
    import.inputs = inputs;
    if (import.mesh)
        STATUS_TRY(mesh_import(&import, output, &mesh));
    STATUS_TRY(format->import(&import, output));
    if (line->json) {
        json_t *list = json_array();
        notes_each(&notes, note_append, list);
        return output_json(
            json_pack("{s:s, s:o, s:o}", "format", format->name, "output", json_text(output), "notes", list));
    }
    notes_each(&notes, output_note_text, (void *)line);
    return status_ok();
}
