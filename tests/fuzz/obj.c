/* Fuzzes the mesh files OBJ, PLY and OFF: a mesh that is read, written and read again must be unchanged. */
#include "tests/fuzz/fuzz.h"

#include "datasets/formats/mesh_file.h"

static void text_parse(const MeshFileFormat *format, const char *data, size_t size, FileMesh *mesh,
                       Status *status)
{
    char *text = malloc(size + 1); /* exactly the declared size, so that the sanitizer detects overreads */
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    *status = format->parse(text, size, "a", mesh);
    free(text);
}

static void round_trip(const MeshFileFormat *format, const uint8_t *data, size_t size)
{
    FileMesh mesh = {0}, again = {0};
    Status status;
    char *text = NULL;
    size_t length = 0;
    text_parse(format, (const char *)data, size, &mesh, &status);
    fuzz_status(status);
    if (status.code == STATUS_OK) {
        FILE *file = open_memstream(&text, &length);
        format->write(file, mesh.positions, mesh.vertex_count, mesh.triangles, mesh.triangle_count);
        fclose(file);
        text_parse(format, text, length, &again, &status);
        fuzz_require(status.code == STATUS_OK && again.vertex_count == mesh.vertex_count);
        for (int i = 0; i < 3 * mesh.vertex_count; i++)
            fuzz_require(again.positions[i] == mesh.positions[i]);
        fuzz_require(file_mesh_same_topology(&mesh, "a", &again, "b").code == STATUS_OK);
        /* Parse into the same mesh, whose memory is reused. */
        text_parse(format, (const char *)data, size / 2, &mesh, &status);
        fuzz_status(status);
        if (status.code == STATUS_OK)
            fuzz_status(file_mesh_same_topology(&again, "a", &mesh, "b"));
        /* The first half may have left other contents in the mesh. Parsing the whole text must still give
         * the first result. */
        text_parse(format, (const char *)data, size, &mesh, &status);
        fuzz_require(status.code == STATUS_OK);
        fuzz_require(file_mesh_same_topology(&mesh, "a", &again, "b").code == STATUS_OK);
    }
    file_mesh_clear(&mesh);
    file_mesh_clear(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    round_trip(&obj_format, data, size);
    round_trip(&ply_format, data, size);
    round_trip(&off_format, data, size);
    return 0;
}
