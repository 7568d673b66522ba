#include "datasets/formats/mesh_file.h"

#include "datasets/formats/sequence.h"
#include "datasets/io/file_name.h"

Status file_mesh_read(const char *path, FileMesh *mesh)
{
    enum { FORMATS = 3 };
    static const MeshFileFormat *const formats[FORMATS] = {&obj_format, &ply_format, &off_format};
    CLEANUP(sequence_text_clear) SequenceText text = {0};
    for (int i = 0; i < FORMATS; i++)
        if (path_has_suffix(path, formats[i]->suffix)) {
            STATUS_TRY(sequence_text_read(path, &text));
            return formats[i]->parse(text.text, text.length, path, mesh);
        }
    return bad_input("%s: is not a mesh file: its name does not end in .obj, .ply or .off", path);
}
