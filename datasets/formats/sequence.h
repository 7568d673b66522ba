/* A sequence of text files, one per frame, wherever they are: a folder, a pattern, files one by one, or an
 * archive (tar with any usual compression, zip, 7z) that is read as it stands, without unpacking it to disk.
 * Frames stand in natural order of their names (2 before 10). */
#ifndef SKINBENCH_IO_SEQUENCE_H
#define SKINBENCH_IO_SEQUENCE_H

#include "datasets/base/status.h"

#include <stddef.h>

/* One file in memory. */
typedef struct SequenceText {
    char *place; /* its name for messages: `horse.tar.xz:horse/0001.obj` */
    char *text;  /* [length], followed by a NUL */
    size_t length;
} SequenceText;

/* Reads a whole plain file, as large as it is on disk; release with sequence_text_clear. `out` may hold an earlier text. */
Status sequence_text_read(const char *path, SequenceText *out);
void sequence_text_clear(SequenceText *text);

typedef struct FileSequence {
    char *archive;      /* NULL: plain files */
    char **frames;      /* [frame_count] paths, or names in the archive, in natural order */
    int frame_count;    /* at least 1 */
    SequenceText first; /* the first frame's text */
    SequenceText rest;  /* the rest file's text; text is NULL when there is none */
} FileSequence;

/* Finds the members of `inputs`: one folder, one archive, or patterns and files. Members are the files whose
 * names end in `suffix` (".obj", in either case) and do not begin with a dot. The rest file is no frame: it
 * is the member, or else the file on disk, called `rest`; with `rest` NULL, a member called "rest" + suffix,
 * if there is one. STATUS_BAD_INPUT when something is missing or damaged. Release with sequence_close. */
Status sequence_open(const char *const *inputs, int input_count, const char *suffix, const char *rest,
                     FileSequence *out);
void sequence_close(FileSequence *sequence);

/* Called with every frame once: its number in natural order and its text, gone after the call. */
typedef Status (*SequenceVisitor)(void *context, int frame, const SequenceText *text);

/* Visits all frames, plain files in natural order, an archive's in the order they are stored in. Ends with
 * the visitor's first status that is not STATUS_OK. */
Status sequence_visit(const FileSequence *sequence, SequenceVisitor visitor, void *context);

/* As strcmp, but runs of digits compare by their value, of any length. Equal values ("7" and "007") differ
 * only where nothing else does, so that the order is total. */
int natural_compare(const char *a, const char *b);

#endif
