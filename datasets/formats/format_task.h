/* The options of imports and exports, and the steps that formats share. */
#pragma once

#include "datasets/model/vertex_order.h"

/* Receives notes about information that the output of an import or export cannot contain: axes, unit, and
 * parts of the input that were joined, dropped or lost. */
typedef struct FormatNotes {
    void (*note)(void *context, const char *text);
    void *context;
} FormatNotes;

/* Emits one line of notes. `notes` may be NULL. */
void format_note(const FormatNotes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Value of ImportOptions.rest. The first frame becomes the rest pose, even if the sequence has a rest
 * file. */
#define IMPORT_REST_FIRST "first"

typedef struct ImportOptions {
    const char *const *inputs;
    int input_count; /* at least 1 */
    /* Source of the rest pose; NULL means the default of the format. For a sequence of meshes: a member, a
     * file or IMPORT_REST_FIRST. For point caches and arrays: the mesh file with the rest pose and the
     * faces. */
    const char *rest;
    const char *mesh; /* data set with the mesh, for rig files that contain no mesh; or NULL */
    double scale;     /* factor for every coordinate */
    double fps;       /* frames per second; 0: the times in the file, or 30 if it has none */
    const char *clip; /* name of the only clip to import; NULL: all clips in sequence */
    const char *name; /* name of the data set; NULL: derived from the input */
    const char *title, *source, *license; /* NULL: empty */
    VertexOrdering ordering;  /* order of the vertices of data sets with a rig; NULL: the order of the file */
    const Progress *progress; /* may be NULL */
    const FormatNotes *notes; /* may be NULL */
    double
        *weight_sums; /* [2] receives the lowest and highest sum of a vertex's weights in a scene, which the
                            import scales to 1; NULL: not wanted */
} ImportOptions;

typedef struct ExportOptions {
    const char *input; /* data set file; its vertices are exported in their original order (vertex_order.h) */
    const char *output;          /* created only if the export succeeds */
    const unsigned char *colors; /* [N][3] sRGB colours of the original vertices, or NULL */
    bool baked;                  /* write positions as morph targets instead of the rig as a skin */
    const char
        *into; /* glTF file from which the mesh was imported and in which the skin is replaced, or NULL */
    const Progress *progress; /* may be NULL */
    const FormatNotes *notes; /* may be NULL */
} ExportOptions;

/* Refuses --rest first (IMPORT_REST_FIRST) with STATUS_USAGE. Formats call it if their rest pose must be a
 * mesh file. */
Status format_rest_check(const ImportOptions *options);

/* Creates an empty data set, named after the options or the input. Release with dataset_free. */
Status format_dataset_create(const ImportOptions *options, Dataset **out);

/* Names the joints of a rig without a hierarchy "bone 0", "bone 1", ..., with identities as rest frames. */
Status format_bones_name(Rig *rig);

/* Puts the vertices of the imported data set into the order that the options request, checks it, and writes
 * it. */
Status format_dataset_write(const ImportOptions *options, Dataset *dataset, const char *output);
