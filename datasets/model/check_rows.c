#include "datasets/model/check_rows.h"

#include "datasets/base/text.h"

#include <stdarg.h>

const char *check_severity_name(CheckSeverity severity)
{
    static const char *const names[] = {"note", "warning", "error"};
    return names[severity];
}

void check_fault(CheckFinding *finding, const char *format, ...)
{
    if (finding->count++ > 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    text_format(finding->text, sizeof finding->text, format, arguments);
    va_end(arguments);
}
