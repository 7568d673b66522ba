/* Reads the catalogue: every entry unpacked by name and type, so that a field that is misspelt or missing is
 * named. */
#include "datasets/io/catalogue.h"

#include "datasets/io/json_file.h"

static Status upstream_read(const char *path, const char *name, json_t *json, CatalogueUpstream *out)
{
    json_error_t error;
    json_t *import = NULL;
    if (json_unpack_ex(json, &error, JSON_STRICT, "{s:s, s:s, s:o, s?s}", "address", &out->address,
                       "citation", &out->citation, "import", &import, "sha256", &out->sha256) != 0)
        return bad_input("%s: data set '%s': upstream: %s", path, name, error.text);
    out->import = import;
    bool texts = json_is_array(import) && json_array_size(import) > 0;
    for (size_t i = 0; texts && i < json_array_size(import); i++)
        texts = json_is_string(json_array_get(import, i));
    if (!texts)
        return bad_input("%s: data set '%s': upstream: import is not a list of texts", path, name);
    return status_ok();
}

static Status entry_read(const char *path, json_t *json, CatalogueEntry *out)
{
    json_error_t error;
    json_int_t size_bytes = 0;
    json_t *paper = NULL, *upstream = NULL;
    int redistributable = 0;
    *out = (CatalogueEntry){.json = json};
    if (json_unpack_ex(
            json, &error, JSON_STRICT,
            "{s:s, s:s, s?s, s:s, s?s, s:s, s:s, s:s, s?s, s?o, s:b, s:i, s:i, s:i, s:i, s:i, s?I, s:o}",
            "name", &out->name, "title", &out->title, "file", &out->file, "kind", &out->kind, "sha256",
            &out->sha256, "source", &out->source, "license", &out->license, "note", &out->note, "rest",
            &out->rest, "upstream", &upstream, "redistributable", &redistributable, "vertices",
            &out->vertices, "triangles", &out->triangles, "frames", &out->frames, "joints", &out->joints,
            "influences", &out->influences, "bytes", &size_bytes, "paper", &paper) != 0)
        return bad_input("%s: data set '%s': %s", path, out->name ? out->name : "", error.text);
    out->redistributable = redistributable;
    out->size_bytes = size_bytes;
    return upstream ? upstream_read(path, out->name, upstream, &out->upstream) : status_ok();
}

static Status missing_read(const char *path, json_t *json, CatalogueMissing *out)
{
    json_error_t error;
    json_t *paper = NULL;
    if (json_unpack_ex(json, &error, JSON_STRICT, "{s:s, s:s, s:s, s:s, s:o}", "name", &out->name, "title",
                       &out->title, "reason", &out->reason, "visit", &out->visit, "paper", &paper) != 0)
        return bad_input("%s: missing data set '%s': %s", path, out->name ? out->name : "", error.text);
    return status_ok();
}

Status catalogue_read(const char *path, Catalogue *out)
{
    OWNED_BY(catalogue_clear) Catalogue *unfinished = out;
    json_error_t error;
    json_t *entries = NULL, *missing = NULL;
    const char *about = NULL;
    *out = (Catalogue){0};
    STATUS_TRY(json_file_read(path, &out->json));
    if (json_unpack_ex(out->json, &error, JSON_STRICT, "{s:s, s:o, s?o}", "about", &about, "datasets",
                       &entries, "missing", &missing) != 0)
        return bad_input("%s: %s", path, error.text);
    ALLOCATE(out->entries, json_array_size(entries), "the catalogue of data sets");
    ALLOCATE(out->missing, json_array_size(missing), "the catalogue of data sets");
    for (; out->count < (int)json_array_size(entries); out->count++)
        STATUS_TRY(entry_read(path, json_array_get(entries, (size_t)out->count), &out->entries[out->count]));
    for (int i = 0; i < (int)json_array_size(missing); i++, out->missing_count++)
        STATUS_TRY(missing_read(path, json_array_get(missing, (size_t)i), &out->missing[i]));
    unfinished = NULL;
    return status_ok();
}

void catalogue_clear(Catalogue *catalogue)
{
    FREE_ALL(catalogue->entries, catalogue->missing);
    json_decref(catalogue->json);
    *catalogue = (Catalogue){0};
}
