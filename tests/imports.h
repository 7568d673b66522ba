/* Imports files that tests have written, and builds archives for them. */
#pragma once

#include "datasets/formats/formats.h"
#include "datasets/io/store.h"
#include "tests/support.h"

#include <archive.h>
#include <archive_entry.h>

/* Imports a file to out.h5 in the test's folder, reads the result and removes it. A refused file must leave
 * nothing there. If `format` is NULL, the format is detected. `more` holds further options. */
static inline Status imported(const char *format, const char *input, ImportOptions more, Dataset **out)
{
    const Format *as = format ? format_find(format) : NULL;
    const char *output = path_of("out.h5");
    more.inputs = &input;
    more.input_count = 1;
    more.scale = more.scale > 0.0 ? more.scale : 1.0;
    *out = NULL;
    if (!as)
        STATUS_TRY(format_detect(input, &as));
    const Status status = as->import(&more, output);
    assert_int_equal(access(output, F_OK) == 0, status.code == STATUS_OK);
    if (status.code == STATUS_OK) {
        assert_ok(dataset_read(output, NULL, out));
        assert_int_equal(unlink(output), 0);
    }
    return status;
}

/* Opens an archive of a format (archive_write_set_format_...). `filter` compresses it, unless it is
 * NULL. */
static inline struct archive *archive_start(const char *path, int (*format)(struct archive *),
                                            int (*filter)(struct archive *))
{
    struct archive *archive = archive_write_new();
    assert_int_equal(format(archive), ARCHIVE_OK);
    if (filter)
        assert_true(filter(archive) >= ARCHIVE_WARN);
    (void)archive_write_set_options(archive, "compression-level=1");
    assert_int_equal(archive_write_open_filename(archive, path), ARCHIVE_OK);
    return archive;
}

/* Adds a member to an archive. Its content is `bytes`, repeated `repeats` times. */
static inline void archive_add(struct archive *archive, const char *name, const char *bytes, size_t length,
                               int repeats)
{
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_size(entry, (la_int64_t)length * repeats);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
    for (int i = 0; i < repeats; i++)
        assert_int_equal(archive_write_data(archive, bytes, length), length);
    archive_entry_free(entry);
}

static inline void archive_finish(struct archive *archive)
{
    assert_int_equal(archive_write_close(archive), ARCHIVE_OK);
    archive_write_free(archive);
}
