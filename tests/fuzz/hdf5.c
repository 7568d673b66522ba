/* Fuzzes data set files of unknown origin. The process must survive every way of reading a file, all ways
 * must give the same result, and a file that passes `check` must be readable. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/hdf5_mutator.h"

#include "datasets/io/store.h"
#include "datasets/model/check.h"
#include <hdf5.h>

enum { VALUES_MAX = 1 << 16 };

/* Checks that frames and vertices are the same whether they are read in parts or as a whole. */
static void parts_read(const char *path, const Dataset *dataset)
{
    const Animation *whole = &dataset->animation;
    const int vertices = dataset->mesh.vertex_count, frames = whole->frame_count;
    const Dataset *header = NULL;
    OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
    fuzz_require(dataset_reader_open(path, NULL, &reader, &header).code == STATUS_OK);
    fuzz_require(header->mesh.vertex_count == vertices && header->animation.frame_count == frames);
    if (vertices > 0 && frames > 0 && vertices < VALUES_MAX / frames / 3) {
        OWNED float *values = memory_table((size_t)frames, 3 * (size_t)vertices, sizeof *values);
        const int frame = frames / 2, vertex = vertices / 2;
        fuzz_require(dataset_read_frames(reader, frame, frames - frame, values).code == STATUS_OK);
        for (int i = 0; i < 3 * vertices * (frames - frame); i++)
            fuzz_require(values[i] == whole->positions[3 * vertices * frame + i]);
        fuzz_require(dataset_read_vertices(reader, vertex, 1, values).code == STATUS_OK);
        for (int f = 0; f < frames; f++)
            for (int i = 0; i < 3; i++)
                fuzz_require(values[3 * f + i] == whole->positions[3 * (vertices * f + vertex) + i]);
        fuzz_require(dataset_read_frames(reader, frames, 1, values).code == STATUS_USAGE);
    }
}

/* Initialises HDF5 once, because the reading processes are forked from this one. */
int LLVMFuzzerInitialize(UNUSED int *argc, UNUSED char ***argv)
{
    return H5open();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static CheckReport report;
    char path[128];
    OWNED_BY(dataset_free) Dataset *loose = NULL, *dataset = NULL;
    snprintf(path, sizeof path, "%s", fuzz_file("a.h5", data, size));
    Status status = dataset_read_unchecked(path, NULL, &loose);
    fuzz_feedback(status);
    fuzz_require((loose != NULL) == (status.code == STATUS_OK));
    if (!loose && size % 8 != 0) /* Most invalid files fail in the same way, and each way of reading costs a
                                    process. So the other ways are tried only for an eighth of them. */
        return 0;
    if (loose)
        fuzz_require(dataset_check(loose, &report).code == STATUS_OK);
    status = dataset_read(path, NULL, &dataset);
    fuzz_feedback(status);
    fuzz_require((dataset != NULL) == (status.code == STATUS_OK));
    fuzz_require(!dataset || loose);
    if (loose && report.error_count == 0 && !dataset) {
        fprintf(stderr, "check passes it, but: %s\n", status.text);
        abort();
    }
    if (dataset)
        parts_read(path, dataset);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    return hdf5_mutate(data, size, capacity, seed);
}
