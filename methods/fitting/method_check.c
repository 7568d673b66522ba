#include "methods/fitting/method_check.h"

#include <string.h>

Status decomposition_method_check(const DecompositionMethod *method, const char *registered_name)
{
    if (!name_is_plain(method->name))
        return status_make(STATUS_USAGE, "method '%s': its name is not lower-case letters, digits and -",
                           method->name ? method->name : "");
    if (strcmp(method->name, registered_name) != 0)
        return status_make(STATUS_USAGE, "method %s: its table is named '%s'; both must be one name",
                           registered_name, method->name);
    if (!method->title || !method->title[0] || !method->citation || !method->citation[0])
        return status_make(STATUS_USAGE, "method %s: its table has no title or no citation", method->name);
    if (!method->fit)
        return status_make(STATUS_USAGE, "method %s: its table has no fit", method->name);
    return parameters_check(method->parameters, method->parameter_count, method->name);
}
