#include "datasets/formats/dataset_open.h"

#include "datasets/formats/formats.h"

Status dataset_load(const char *path, const Progress *progress, Dataset **out)
{
    return format_explain(dataset_read(path, progress, out), path);
}

Status dataset_open(const char *path, const Progress *progress, DatasetReader **out, const Dataset **header)
{
    return format_explain(dataset_reader_open(path, progress, out, header), path);
}

Status dataset_probe(const char *path, const Progress *progress)
{
    OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
    const Dataset *header = NULL;
    return dataset_open(path, progress, &reader, &header);
}
