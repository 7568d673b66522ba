/* Reports notes to the user. Creates and writes the data set of an import. */
#include "datasets/formats/format_task.h"

#include "datasets/io/store.h"
#include "datasets/model/validate.h"

void format_note(const FormatNotes *notes, const char *format, ...)
{
    char text[STATUS_TEXT_BYTES];
    if (!notes)
        return;
    va_list arguments;
    va_start(arguments, format);
    text_format(text, sizeof text, format, arguments);
    va_end(arguments);
    notes->note(notes->context, text);
}

Status format_rest_check(const ImportOptions *options)
{
    if (options->rest && strcmp(options->rest, IMPORT_REST_FIRST) == 0)
        return bad_usage("--rest %s: for this format, --rest must name a mesh file (OBJ, PLY or OFF)",
                         options->rest);
    return status_ok();
}

Status format_dataset_create(const ImportOptions *options, Dataset **out)
{
    char name[128];
    const char *input = options->inputs[0];
    size_t end = strlen(input);
    while (end > 1 && input[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && input[start - 1] != '/')
        start--;
    size_t length = strcspn(input + start, ".*?[");
    length = length < end - start ? length : end - start;
    char whole[NAME_MAX + 1];
    snprintf(whole, sizeof whole, "%.*s", (int)length, input + start);
    (void)text_escape(name, sizeof name, whole);
    STATUS_TRY(dataset_create(options->name ? options->name : name, options->title, options->source,
                              options->license, out));
    (*out)->fps = options->fps > 0.0 ? options->fps : 30.0;
    return status_ok();
}

Status format_bones_name(Rig *rig)
{
    for (int j = 0; j < rig->joint_count; j++) {
        char name[32];
        snprintf(name, sizeof name, "bone %d", j);
        COPY_TEXT(rig->joint_names[j], name, "a joint's name");
        rig->parents[j] = -1;
        rig->rest[j] = transform_identity();
    }
    return status_ok();
}

Status format_dataset_write(const ImportOptions *options, Dataset *dataset, const char *output)
{
    Status status = options->ordering ? options->ordering(dataset) : status_ok();
    if (status.code == STATUS_BAD_INPUT)
        return status_make(status.code, "%s: %s", options->inputs[0], status.text);
    STATUS_TRY(status);
    STATUS_TRY(
        dataset_validate(dataset, options->inputs[0])); /* a fault is in the input, not in the output */
    return dataset_write(dataset, output);
}
