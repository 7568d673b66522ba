#include "harness/commands/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

Status output_json(json_t *object)
{
    char *text = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(object);
    if (!text)
        return status_out_of_memory("the output");
    puts(text);
    free(text);
    return status_ok();
}

void output_note(const CommandLine *line, const char *format, ...)
{
    if (command_line_flag(line, "quiet"))
        return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}
