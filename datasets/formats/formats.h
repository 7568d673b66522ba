/* The formats that `import` and `export` know: rows of a table. A new format is a file and a row. */
#ifndef SKINBENCH_IO_FORMATS_H
#define SKINBENCH_IO_FORMATS_H

#include "datasets/base/progress.h"
#include "datasets/base/status.h"

typedef struct ImportOptions {
    const char *const *inputs;
    int input_count;  /* at least 1 */
    const char *rest; /* name of the rest pose's file; NULL: the format's own rule */
    double scale;     /* every coordinate is multiplied by it */
    double fps;
    const char *name;                     /* NULL: after the input */
    const char *title, *source, *license; /* NULL: empty */
    const Progress *progress;             /* may be NULL */
} ImportOptions;

typedef struct Format {
    const char *name; /* as after `import` and `export` */
    const char *title;
    /* Writes a data set file; nothing appears at `output` unless all went well. NULL: cannot be imported. */
    Status (*import)(const ImportOptions *options, const char *output);
    /* Writes a data set file in the format. NULL: cannot be exported. */
    Status (*export)(const char *input, const char *output, const Progress *progress);
} Format;

int format_count(void);
const Format *format_at(int index);
const Format *format_find(const char *name); /* NULL when there is none */

/* The formats' functions, a file each. */

/* One OBJ file per frame (datasets/formats/sequence.h says where from). All frames must have the same faces; the
 * rest pose is the first frame when there is no rest file. Exported, OUTPUT is a new folder of 0001.obj,
 * 0002.obj, ... and rest.obj; imported again it gives the same floats. */
Status obj_sequence_import(const ImportOptions *options, const char *output);
Status obj_sequence_export(const char *input, const char *output, const Progress *progress);

#endif
