/* A sequence of text files, one per frame, wherever they are: a folder, a pattern, files one by one, or an
 * archive (tar with any usual compression, zip, 7z) that is read as it stands, without unpacking it to disk.
 * Frames stand in natural order of their names (2 before 10). */
#pragma once

#include "datasets/base/base.h"
#include "datasets/io/archive_access.h"

/* One file in memory. */
typedef struct SequenceText {
    char *place; /* its name for messages: `horse.tar.xz:horse/0001.obj` */
    char *text;  /* [length], followed by a NUL */
    size_t length;
} SequenceText;

/* Reads a whole plain file, as large as it is on disk; release with sequence_text_clear. `out` may hold an
 * earlier text. A byte-order mark is skipped, and lines may end in CR alone. */
Status sequence_text_read(const char *path, SequenceText *out);
/* Reads the archive's present member in the same way; the place is the caller's to set. */
Status sequence_text_unpack(ArchiveReader *reader, SequenceText *out);
void sequence_text_clear(SequenceText *text);

typedef struct FileSequence {
    char *archive;   /* NULL: plain files */
    char **frames;   /* [frame_count] paths, or names in the archive, as they are visited */
    int frame_count; /* of an archive: visited so far */
    char *rest;      /* the rest file's path; of an archive NULL, or the name that is wanted */
    const char *suffix;
    double share;      /* visited, 0 to 1 */
    SequenceText text; /* what is visited */
} FileSequence;

/* Finds the frames in `inputs`: one folder, one archive (read by the visit alone), or patterns and files.
 * Frames are files whose names end in `suffix` (".obj", in either case) and do not begin with a dot.
 * `rest` names the rest file, a member or a file on disk; NULL: a member called "rest" + suffix, if any.
 * STATUS_BAD_INPUT when something is missing or damaged. Release with sequence_close. */
Status sequence_open(const char *const *inputs, int input_count, const char *suffix, const char *rest,
                     FileSequence *out);
void sequence_close(FileSequence *sequence);

/* Called with every frame once, and with the rest file: its text is gone after the call. `frame` counts the
 * frames as they come, SEQUENCE_REST: the rest file. */
enum { SEQUENCE_REST = -1 };
typedef Status (*SequenceVisitor)(void *context, int frame, const SequenceText *text);

/* Visits plain files in natural order, the rest file before them; an archive's members, once through, as they
 * are stored in it. Ends with the visitor's first status that is not STATUS_OK. */
Status sequence_visit(FileSequence *sequence, SequenceVisitor visitor, void *context);

/* After the visit, the frames' numbers in natural order of their names, order [frame_count] for memory_free.
 * STATUS_BAD_INPUT when there is none, or two have one name. */
Status sequence_order(const FileSequence *sequence, const char *input, int32_t **order);

/* As strcmp, but runs of digits compare by their value, of any length. Equal values ("7" and "007") differ
 * only where nothing else does, so that the order is total. */
int natural_compare(const char *a, const char *b);
