/* Colours of vertices for `export --color`. */
#pragma once

#include "harness/commands/command_line.h"

typedef struct VertexColors {
    unsigned char *rgb;           /* [N][3] sRGB, for memory_free */
    char note[STATUS_TEXT_BYTES]; /* what the colours mean, to be stated once all is done; "" where that is
                                     clear */
} VertexColors;

/* By bones: the colours of the joints that move a vertex (color_of_index), mixed as light by their weights.
 * STATUS_BAD_INPUT where there is no rig. */
Status vertex_colors_by_bones(const CommandLine *line, const char *path, VertexColors *out);

/* By error: the root mean square over all frames of a vertex' distance from the target (a file with
 * positions), from 0 to the greatest of all vertices (color_map_rgb). */
Status vertex_colors_by_error(const CommandLine *line, const char *path, const char *target,
                              VertexColors *out);
