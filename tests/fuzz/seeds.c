/* Makes the initial inputs for fuzzing that are cheaper to generate than to store.
 *   fuzz_seeds FOLDER      writes FOLDER/<target>/...; FOLDER is an absolute path */
#include "tests/fuzz/seeds.h"
#include "tests/fuzz/fuzz.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- import: archives of frames ---- */

static void member_write(struct archive *archive, const char *name, unsigned type, const char *text)
{
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, type);
    archive_entry_set_perm(entry, 0644);
    if (type == AE_IFLNK)
        archive_entry_set_symlink(entry, text);
    archive_entry_set_size(entry, type == AE_IFREG ? (la_int64_t)strlen(text) : 0);
    if (archive_write_header(archive, entry) >= ARCHIVE_WARN && type == AE_IFREG)
        archive_write_data(archive, text, strlen(text));
    archive_entry_free(entry);
}

void archives_make(void)
{
    static const struct {
        const char *name;
        int (*format)(struct archive *);
        int (*filter)(struct archive *);
        const char *options;
    } rows[] = {
        {"ustar.tar", archive_write_set_format_ustar, archive_write_add_filter_none, ""},
        {"pax.tar", archive_write_set_format_pax, archive_write_add_filter_none, ""},
        {"gnu.tar", archive_write_set_format_gnutar, archive_write_add_filter_none, ""},
        {"v7.tar", archive_write_set_format_v7tar, archive_write_add_filter_none, ""},
        {"a.tar.gz", archive_write_set_format_ustar, archive_write_add_filter_gzip, ""},
        {"a.tar.bz2", archive_write_set_format_ustar, archive_write_add_filter_bzip2, ""},
        {"a.tar.xz", archive_write_set_format_ustar, archive_write_add_filter_xz, ""},
        {"a.tar.lzma", archive_write_set_format_ustar, archive_write_add_filter_lzma, ""},
        {"a.tar.zst", archive_write_set_format_ustar, archive_write_add_filter_zstd, ""},
        {"store.zip", archive_write_set_format_zip, archive_write_add_filter_none, "zip:compression=store"},
        {"deflate.zip", archive_write_set_format_zip, archive_write_add_filter_none,
         "zip:compression=deflate"},
        {"copy.7z", archive_write_set_format_7zip, archive_write_add_filter_none, "7zip:compression=store"},
        {"lzma.7z", archive_write_set_format_7zip, archive_write_add_filter_none, "7zip:compression=lzma2"},
        {"ppmd.7z", archive_write_set_format_7zip, archive_write_add_filter_none, "7zip:compression=ppmd"},
        {"bzip2.7z", archive_write_set_format_7zip, archive_write_add_filter_none, "7zip:compression=bzip2"}};
    static const char frame[] = "v 0 0 0\nv 1 0 0\nv 0 1 0.5\nf 1 2 3\n";
    static const char ply[] = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty double y\n"
                              "property short z\nelement face 1\nproperty list uchar int vertex_indices\n"
                              "end_header\n0 0 0\n1 0 0\n0 1 5\n3 0 1 2\n";
    static const char off[] = "COFF\n3 1 0\n0 0 0 255 0 0\n1 0 0\n0 1 0.5\n3 0 1 2 # red\n";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct archive *archive = archive_write_new();
        fuzz_require(archive && rows[i].format(archive) == ARCHIVE_OK &&
                     rows[i].filter(archive) >= ARCHIVE_WARN);
        (void)archive_write_set_options(archive, rows[i].options);
        fuzz_require(archive_write_open_filename(archive, rows[i].name) == ARCHIVE_OK);
        member_write(archive, "horse", AE_IFDIR, "");
        member_write(archive, "horse/10.obj", AE_IFREG, frame);
        member_write(archive, "horse/2.obj", AE_IFREG, frame);
        member_write(archive, "horse/rest.obj", AE_IFREG, frame);
        member_write(archive, "horse/10.ply", AE_IFREG, ply);
        member_write(archive, "horse/2.ply", AE_IFREG, ply);
        member_write(archive, "horse/1.off", AE_IFREG, off);
        member_write(archive, "horse/link.obj", AE_IFLNK, "2.obj");
        member_write(archive,
                     "a name of more than a hundred letters, which is what the oldest kind of tar has no "
                     "place for and others keep in another record/LICENSE",
                     AE_IFREG, "text");
        fuzz_require(archive_write_close(archive) == ARCHIVE_OK);
        archive_write_free(archive);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *target;
        void (*make)(void); /* writes files in the working folder */
    } rows[] = {{"hdf5", hdf5_files_make}, {"import", archives_make}};
    fuzz_require(argc == 2);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)mkdir(argv[1], 0777);
        fuzz_require(chdir(argv[1]) == 0);
        (void)mkdir(rows[i].target, 0777);
        fuzz_require(chdir(rows[i].target) == 0);
        rows[i].make();
    }
    return 0;
}
