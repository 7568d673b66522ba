/* A sequence of text files, one per frame. The files may be in a folder, match a pattern, be listed one by
 * one, or be in an archive (tar with any usual compression, zip, 7z), which is never unpacked to disk.
 * Frames are in natural order of their names (2 before 10). */
#pragma once

#include "datasets/base/base.h"
#include "datasets/io/archive_access.h"

/* One file in memory. */
typedef struct SequenceText {
    char *place; /* name in messages: `horse.tar.xz:horse/0001.obj` */
    char *text;  /* [length], followed by a NUL */
    size_t length;
} SequenceText;

/* Reads a whole plain file, of any size. A byte-order mark is skipped, and a CR alone also ends a line.
 * `out` may contain an earlier text. Release with sequence_text_clear. */
Status sequence_text_read(const char *path, SequenceText *out);
/* Reads the archive's current member in the way that sequence_text_read reads a file. The caller must set
 * out->place. */
Status sequence_text_unpack(ArchiveReader *reader, SequenceText *out);
void sequence_text_clear(SequenceText *text);

typedef struct FileSequence {
    char *archive; /* path of the archive; NULL: the frames are plain files */
    char **
        frames; /* [frame_count] paths, or names of archive members in the order in which they were visited */
    int frame_count; /* number of frames; for an archive, the number visited so far */
    char *rest;      /* path of the rest file, or NULL; for an archive, the requested name of the rest file */
    const char *suffix, *wanted_rest; /* as given to sequence_open */
    double share;                     /* progress of the visit, 0 to 1 */
    SequenceText text;                /* text of the current file */
} FileSequence;

/* Finds the frames in `inputs`: one folder, one archive (which is opened only by the visit), or patterns
 * and files. Frames are files whose names end in `suffix` (".obj", ignoring case) and do not begin with a
 * dot. `rest` names the rest file, which is a member or a file on disk. If `rest` is NULL, the rest file is
 * a member called "rest" + suffix, if there is one. Such a member is never a frame. STATUS_BAD_INPUT if
 * something is missing or damaged. Release with sequence_close. */
Status sequence_open(const char *const *inputs, int input_count, const char *suffix, const char *rest,
                     FileSequence *out);
void sequence_close(FileSequence *sequence);

/* Function that is called once for every frame and for the rest file. `frame` is the number of the frame in
 * the order of the visit, or SEQUENCE_REST. The text is valid only during the call. */
enum { SEQUENCE_REST = -1 };
typedef Status (*SequenceVisitor)(void *context, int frame, const SequenceText *text);

/* Visits plain files in natural order, after the rest file. Visits the members of an archive in their
 * stored order. Stops as soon as the visitor returns another status than STATUS_OK, and returns that
 * status. */
Status sequence_visit(FileSequence *sequence, SequenceVisitor visitor, void *context);

/* Returns the numbers of the frames in natural order of their names, order [frame_count]. Call this after
 * the visit. Release with memory_free. STATUS_BAD_INPUT if there are no frames, or if two have the same
 * name. */
Status sequence_order(const FileSequence *sequence, const char *input, int32_t **order);

/* Compares names like strcmp, but compares runs of digits by their numerical value, whatever their length.
 * Numbers of equal value such as "7" and "007" are distinguished only if the names are otherwise equal. No
 * two different names are equal. */
int natural_compare(const char *a, const char *b);
