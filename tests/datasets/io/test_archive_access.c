/* Tests archives that unpack to far more than their size, in every supported format. */
#include "tests/imports.h"

#include "datasets/io/archive_access.h"

typedef struct Packing {
    const char *name;
    int (*format)(struct archive *archive);
    int (*filter)(
        struct archive *archive); /* NULL if the archive format needs no separate filter to compress */
} Packing;

static const Packing packings[] = {
    {"tar.gz", archive_write_set_format_pax_restricted, archive_write_add_filter_gzip},
    {"tar.xz", archive_write_set_format_pax_restricted, archive_write_add_filter_xz},
    {"tar.lzma", archive_write_set_format_pax_restricted, archive_write_add_filter_lzma},
    {"tar.zst", archive_write_set_format_pax_restricted, archive_write_add_filter_zstd},
    {"zip", archive_write_set_format_zip, NULL},
    {"7z", archive_write_set_format_7zip, NULL}};
enum { PACKING_COUNT = sizeof packings / sizeof packings[0], MEGABYTE = 1 << 20 };

static const char zeros[MEGABYTE];

/* Writes an archive of `members` members with `megabytes` megabytes each, followed by `empty` empty
 * members. */
static void archive_make(const Packing *packing, const char *path, int members, int megabytes, int empty)
{
    struct archive *archive = archive_start(path, packing->format, packing->filter);
    for (int i = 0; i < members + empty; i++)
        archive_add(archive, text_of("%d.obj", i), zeros, MEGABYTE, i < members ? megabytes : 0);
    archive_finish(archive);
}

/* Visits all members of an archive, and unpacks or skips each. */
static Status archive_walk(const char *path, bool unpack)
{
    OWNED_BY(archive_reader_close) ArchiveReader *reader = NULL;
    const char *name = NULL;
    Status status = archive_reader_open(path, &reader);
    while (status.code == STATUS_OK) {
        OWNED char *text = NULL;
        size_t length = 0;
        status = archive_reader_next(reader, &name);
        if (status.code != STATUS_OK || !name)
            break;
        if (unpack)
            status = archive_reader_text(reader, &text, &length);
    }
    return status;
}

TEST(bombs_are_refused)
{
    const char *path = path_of("bomb");
    for (int i = 0; i < PACKING_COUNT; i++) {
        archive_make(&packings[i], path, 1, 70, 0);
        for (int unpack = 0; unpack < 2; unpack++) {
            Status status = archive_walk(path, unpack);
            if (status.code != STATUS_BAD_INPUT ||
                !strstr(status.text, "bomb:0.obj: unpacks to more than 64 MB") ||
                !strstr(status.text, "--memory-limit SIZE"))
                fail_msg("%s: %d '%s'", packings[i].name, (int)status.code, status.text);
        }
        memory_limit_set((size_t)100 * MEGABYTE);
        assert_ok(archive_walk(path, true));
        memory_limit_set(0);
        archive_make(&packings[i], path, 7, 10, 0);
        assert_bad_input("bomb:6.obj: unpacks to more than 64 MB", archive_walk(path, true));
        archive_make(&packings[i], path, 6, 10, 0);
        assert_ok(archive_walk(path, true));
    }
}

/* Empty members count towards the limit. Otherwise an archive of a few bytes could list a million names. */
TEST(empty_members_are_bounded)
{
    const char *path = path_of("many");
    archive_make(&packings[1], path, 6, 10, 10);
    assert_ok(archive_walk(path, false));
    archive_make(&packings[1], path, 6, 10, 9000); /* 512 bytes each */
    assert_bad_input("unpacks to more than", archive_walk(path, false));
}

/* A single compressed file is read as an archive with one member. If it is truncated, it is refused. */
TEST(one_packed_file_is_a_member)
{
    const char rig[] = "*BONEANIMATION, BONEINDEX=0, NFRAMES=1\n";
    OWNED_BY(archive_reader_close) ArchiveReader *reader = NULL;
    OWNED char *text = NULL;
    size_t length = 0;
    const char *name = NULL, *path = path_of("rig.txt.xz");
    struct archive *archive = archive_start(path, archive_write_set_format_raw, archive_write_add_filter_xz);
    archive_add(archive, "", rig, strlen(rig), 1);
    archive_finish(archive);
    assert_true(archive_path_packs_one(path) && archive_path_packs_one("a.gz"));
    assert_false(archive_path_packs_one("a.tar.xz") || archive_path_packs_one("a.txt"));
    assert_ok(archive_reader_open(path, &reader));
    assert_ok(archive_reader_next(reader, &name));
    assert_non_null(name);
    assert_ok(archive_reader_text(reader, &text, &length));
    assert_string_equal(text, rig);
    assert_int_equal(length, strlen(rig));
    assert_ok(archive_reader_next(reader, &name));
    assert_null(name);
    assert_int_equal(truncate(path, 60), 0);
    assert_bad_input("rig.txt.xz", archive_walk(path, true));
}

TEST(what_is_no_plain_file_is_not_opened)
{
    assert_bad_input("is a folder, not a plain file", archive_walk("/tmp", false));
    assert_bad_input("is a device, not a plain file; save its output", archive_walk("/dev/null", false));
}
