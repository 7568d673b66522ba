/* What an import or an export is asked to do, and the steps that formats share. */
#pragma once

#include "datasets/model/vertex_order.h"

/* Where an import or export states what the user should know and the data set does not: axes, unit, what was
 * joined, dropped or lost. */
typedef struct FormatNotes {
    void (*note)(void *context, const char *text);
    void *context;
} FormatNotes;

/* States one note, a line; notes may be NULL. */
void format_note(const FormatNotes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The first frame is the rest pose, whatever member is called rest. */
#define IMPORT_REST_FIRST "first"

typedef struct ImportOptions {
    const char *const *inputs;
    int input_count; /* at least 1 */
    /* The rest pose's member or file, of sequences of meshes also IMPORT_REST_FIRST; of point caches and
     * arrays the base mesh, rest pose and faces. NULL: the format's own rule. */
    const char *rest;
    const char *mesh;                     /* of a rig without one: the data set that it moves; NULL */
    double scale;                         /* every coordinate is multiplied by it */
    double fps;                           /* 0: the format's own times, or 30 where it has none */
    const char *clip;                     /* name of the clip; NULL: all, one after the other */
    const char *name;                     /* NULL: after the input */
    const char *title, *source, *license; /* NULL: empty */
    VertexOrdering ordering;              /* of a data set with a rig; NULL: as the format has the vertices */
    const Progress *progress;             /* may be NULL */
    const FormatNotes *notes;             /* may be NULL */
} ImportOptions;

typedef struct ExportOptions {
    const char *input;  /* a data set file; vertices are written in their original order (vertex_order.h) */
    const char *output; /* nothing appears there unless all went well */
    const unsigned char *colors; /* [N][3] sRGB colours of the original vertices, or NULL */
    bool baked;                  /* positions as morph targets in place of a skin */
    const char *into;            /* the glTF file that the mesh came from, whose skin is replaced; NULL */
    const Progress *progress;    /* may be NULL */
    const FormatNotes *notes;    /* may be NULL */
} ExportOptions;

/* An empty data set named as the options or the input say. Release with dataset_free. */
Status format_dataset_create(const ImportOptions *options, Dataset **out);

/* Writes what was imported, its vertices in the order that the options ask for. */
Status format_dataset_write(const ImportOptions *options, Dataset *dataset, const char *output);
