/* Tests the table of formats, and how the format of an input is found. */
#include "tests/support.h"

#include "datasets/formats/formats.h"

#include <ctype.h>
#include <sys/stat.h>

static void assert_detected(const char *name, const char *format)
{
    const Format *match = NULL;
    assert_ok(format_detect(path_of(name), &match));
    assert_string_equal(match->name, format);
}

TEST(rows_are_whole_and_differ)
{
    for (int i = 0; i < format_count(); i++) {
        const Format *row = format_at(i);
        assert_ptr_equal(format_find(row->name), row); /* no earlier row has the same name */
        assert_non_null(row->title);
        assert_non_null(row->kept);
        assert_non_null(row->lost);
        assert_true(row->extensions[0] == '.' || row->extensions[0] == '_'); /* the end of a name */
        for (const char *c = row->extensions; *c; c++)
            assert_false(isupper((unsigned char)*c));
        assert_true(row->import || row->lacking); /* a format without an importer says what the build lacks */
    }
    assert_null(format_find("nonsense"));
}

TEST(extensions_are_found_in_either_case)
{
    const Format *obj = format_find("obj-sequence");
    assert_true(format_has_extension(obj, "a/B.OBJ"));
    assert_false(format_has_extension(obj, "obj"));
    assert_false(format_has_extension(obj, ".obj"));
    assert_false(format_has_extension(obj, "a.objx"));
    const Format several = {.extensions = ".one .two"};
    assert_true(format_has_extension(&several, "x.one"));
    assert_true(format_has_extension(&several, "x.two"));
    assert_false(format_has_extension(&several, "x.one .two.x"));
}

TEST(inputs_show_their_format)
{
    const Format *found = NULL;
    text_write("1.obj", "v 0 0 0\n");
    text_write("about.txt", "words\n");
    assert_int_equal(mkdir(path_of("frames"), 0777), 0);
    text_write("frames/.hidden.obj", "x");
    text_write("frames/readme.txt", "x");
    assert_bad_input("a known format", format_detect(path_of("frames"), &found));
    assert_int_equal(mkdir(path_of("empty"), 0777), 0);
    assert_bad_input("is an empty folder", format_detect(path_of("empty"), &found));
    text_write("frames/2.obj", "v 0 0 0\n");
    assert_int_equal(system(text_of("tar -cf %s/all.tar -C %s frames", path_of(""), path_of(""))), 0);
    assert_detected("1.obj", "obj-sequence");
    assert_detected("frames", "obj-sequence");
    assert_detected("fr*s/*.obj", "obj-sequence");
    assert_detected("all.tar", "obj-sequence");
    assert_bad_input("about.txt: has an unknown format; it looks like text",
                     format_detect(path_of("about.txt"), &found));
    text_write("nothing.glb", "");
    assert_bad_input("nothing.glb: is an empty file", format_detect(path_of("nothing.glb"), &found));
    assert_bad_input("none: cannot be opened", format_detect(path_of("none"), &found));
    assert_bad_input("none", format_detect(path_of("none*.obj"), &found));
    assert_bad_input("matches no file of a known format", format_detect(path_of("ab*.txt"), &found));
}

TEST(content_comes_before_the_extension)
{
    text_write("named.obj", "\x89HDF\r\n\x1a\n and so on");
    assert_detected("named.obj", "skinbench");
}

TEST(foreign_files_are_explained)
{
    text_write("1.obj", "v 0 0 0\n");
    Status failed = bad_input("1.obj: is not an HDF5 file");
    assert_bad_input("1.obj: is not an HDF5 file; `skinbench import obj-sequence ",
                     format_explain(failed, path_of("1.obj")));
    text_write("own.h5", "\x89HDF\r\n\x1a\n");
    assert_string_equal(format_explain(failed, path_of("own.h5")).text, failed.text);
    assert_string_equal(format_explain(failed, path_of("none")).text, failed.text);
    Status other = status_make(STATUS_SYSTEM, "memory");
    assert_string_equal(format_explain(other, path_of("1.obj")).text, "memory");
    assert_int_equal(format_explain(status_ok(), path_of("1.obj")).code, STATUS_OK);
}
