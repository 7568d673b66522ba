/* OBJ text: whatever is read, written and read again gives the same mesh. */
#include "tests/fuzz/fuzz.h"

#include "datasets/formats/file_mesh.h"
#include <string.h>

static void text_parse(const char *data, size_t size, FileMesh *mesh, Status *status)
{
    char *text = malloc(size + 1); /* no byte more than promised */
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    *status = obj_format.parse(text, size, "a.obj", mesh);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FileMesh mesh = {0}, again = {0};
    Status status;
    char *text = NULL;
    size_t length = 0;
    text_parse((const char *)data, size, &mesh, &status);
    fuzz_status(status);
    if (status.code == STATUS_OK) {
        FILE *file = open_memstream(&text, &length);
        obj_format.write(file, mesh.positions, mesh.vertex_count, mesh.triangles, mesh.triangle_count);
        fclose(file);
        text_parse(text, length, &again, &status);
        fuzz_require(status.code == STATUS_OK && again.vertex_count == mesh.vertex_count);
        for (int i = 0; i < 3 * mesh.vertex_count; i++)
            fuzz_require(again.positions[i] == mesh.positions[i]);
        fuzz_require(file_mesh_same_topology(&mesh, "a.obj", &again, "b.obj").code == STATUS_OK);
        /* The memory of a mesh serves the next one. */
        text_parse((const char *)data, size / 2, &mesh, &status);
        fuzz_status(status);
        if (status.code == STATUS_OK)
            fuzz_status(file_mesh_same_topology(&again, "a.obj", &mesh, "b.obj"));
    }
    file_mesh_clear(&mesh);
    file_mesh_clear(&again);
    free(text);
    return 0;
}
