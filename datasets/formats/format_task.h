/* The options of imports and exports, and the steps that formats share. */
#pragma once

#include "datasets/model/vertex_order.h"

/* Receives notes of an import or an export that the data set cannot record: axes, unit, and what was
 * joined, dropped or lost. */
typedef struct FormatNotes {
    void (*note)(void *context, const char *text);
    void *context;
} FormatNotes;

/* Emits one line of notes. `notes` may be NULL. */
void format_note(const FormatNotes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes the first frame the rest pose, even if a member is called rest. */
#define IMPORT_REST_FIRST "first"

typedef struct ImportOptions {
    const char *const *inputs;
    int input_count; /* at least 1 */
    /* Source of the rest pose. For a sequence of meshes it is a member, a file or IMPORT_REST_FIRST; for
     * point caches and arrays it is the mesh file with the rest pose and the faces. NULL: the format's own
     * rule. */
    const char *rest;
    const char *mesh;                     /* data set whose mesh a bare rig moves, or NULL */
    double scale;                         /* factor for every coordinate */
    double fps;                           /* 0: the format's own times, or 30 if it has none */
    const char *clip;                     /* name of the clip; NULL: all clips in sequence */
    const char *name;                     /* name of the data set; NULL: derived from the input */
    const char *title, *source, *license; /* NULL: empty */
    VertexOrdering ordering;              /* for data sets with a rig; NULL: the format's order */
    const Progress *progress;             /* may be NULL */
    const FormatNotes *notes;             /* may be NULL */
} ImportOptions;

typedef struct ExportOptions {
    const char *input; /* data set file; its vertices are exported in their original order (vertex_order.h) */
    const char *output;          /* created only if the export succeeds */
    const unsigned char *colors; /* [N][3] sRGB colours of the original vertices, or NULL */
    bool baked;                  /* write positions as morph targets instead of a skin */
    const char *into;            /* glTF file the mesh came from, whose skin is replaced, or NULL */
    const Progress *progress;    /* may be NULL */
    const FormatNotes *notes;    /* may be NULL */
} ExportOptions;

/* Creates an empty data set, named after the options or the input. Release with dataset_free. */
Status format_dataset_create(const ImportOptions *options, Dataset **out);

/* Writes the imported data set with its vertices in the order that the options ask for. */
Status format_dataset_write(const ImportOptions *options, Dataset *dataset, const char *output);
