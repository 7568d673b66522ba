/* Files whose paths match a pattern with the shell's wildcards (* ? [...]), in any part of the path; a
 * leading dot is matched by a dot alone. In place of glob, which frees memory twice in glibc when it runs
 * out. */
#pragma once

#include "datasets/base/status.h"

/* Visits every path that matches, in no order. Folders that cannot be searched are skipped.
 * STATUS_BAD_INPUT when nothing matches, STATUS_SYSTEM when memory or descriptors are out; else what the
 * visitor returns. */
Status pattern_each(const char *pattern, Status (*visit)(void *context, const char *path), void *context);
