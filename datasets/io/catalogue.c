#include "datasets/io/catalogue.h"

#include "datasets/base/memory.h"
#include "datasets/io/json_file.h"

static Status entry_read(const char *path, json_t *json, CatalogueEntry *out)
{
    json_error_t error;
    json_int_t size_bytes = 0;
    json_t *paper = NULL;
    int redistributable = 0;
    *out = (CatalogueEntry){.json = json};
    if (json_unpack_ex(
            json, &error, JSON_STRICT,
            "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s?s, s?s, s:b, s:i, s:i, s:i, s:i, s:i, s:I, s:o}",
            "name", &out->name, "title", &out->title, "file", &out->file, "kind", &out->kind, "sha256",
            &out->sha256, "source", &out->source, "license", &out->license, "note", &out->note, "rest",
            &out->rest, "get", &out->get, "redistributable", &redistributable, "vertices", &out->vertices,
            "triangles", &out->triangles, "frames", &out->frames, "joints", &out->joints, "influences",
            &out->influences, "bytes", &size_bytes, "paper", &paper) != 0)
        return status_make(STATUS_BAD_INPUT, "%s: data set '%s': %s", path, out->name ? out->name : "",
                           error.text);
    out->redistributable = redistributable;
    out->size_bytes = size_bytes;
    return status_ok();
}

Status catalogue_read(const char *path, Catalogue *out)
{
    json_error_t error;
    json_t *entries = NULL, *missing = NULL;
    const char *about = NULL;
    Status status = status_ok();
    *out = (Catalogue){0};
    STATUS_TRY(json_file_read(path, &out->json));
    if (json_unpack_ex(out->json, &error, JSON_STRICT, "{s:s, s:o, s?o}", "about", &about, "datasets",
                       &entries, "missing", &missing) != 0) {
        status = status_make(STATUS_BAD_INPUT, "%s: %s", path, error.text);
        goto done;
    }
    out->entries = memory_array(json_array_size(entries), sizeof *out->entries);
    if (!out->entries) {
        status = status_out_of_memory("the catalogue of data sets");
        goto done;
    }
    for (; out->count < (int)json_array_size(entries); out->count++)
        STATUS_TRY(entry_read(path, json_array_get(entries, (size_t)out->count), &out->entries[out->count]));
done:
    if (status.code != STATUS_OK)
        catalogue_clear(out);
    return status;
}

void catalogue_clear(Catalogue *catalogue)
{
    memory_free(catalogue->entries);
    json_decref(catalogue->json);
    *catalogue = (Catalogue){0};
}
