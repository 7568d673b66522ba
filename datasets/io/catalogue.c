/* Reads the catalogue. Looks up every field of an entry by name and type, so that misspelt or missing
 * fields are reported. */
#include "datasets/io/catalogue.h"

#include "datasets/io/json_table.h"

/* Checks a member of a catalogue entry, if the member exists. */
static Status member_check(const char *path, const char *name, const char *member, const char *text,
                           JsonKind kind)
{
    char where[JSON_WHERE_BYTES];
    snprintf(where, sizeof where, "%.300s: data set '%.64s': %s", path, name, member);
    return text ? json_text_check(kind, text, where) : status_ok();
}

static Status upstream_read(const char *path, const char *name, json_t *json, CatalogueUpstream *out)
{
    json_error_t error;
    json_t *import = NULL;
    if (json_unpack_ex(json, &error, JSON_STRICT, "{s:s, s:s, s:o, s?s}", "address", &out->address,
                       "citation", &out->citation, "import", &import, "sha256", &out->sha256) != 0)
        return bad_input("%s: data set '%s': upstream: %s", path, name, error.text);
    out->import = import;
    STATUS_TRY(member_check(path, name, "upstream.sha256", out->sha256, JSON_KIND_DIGEST));
    bool texts = json_is_array(import) && json_array_size(import) > 0;
    for (size_t i = 0; texts && i < json_array_size(import); i++)
        texts = json_is_string(json_array_get(import, i));
    if (!texts)
        return bad_input("%s: data set '%s': upstream.import is not a list of texts", path, name);
    return status_ok();
}

Status catalogue_read(const char *path, Catalogue *out)
{
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
    json_t *json = NULL, *paper = NULL;
    size_t index = 0;
    json_array_foreach(entries, index, json)
    {
        json_int_t size_bytes = 0;
        json_t *upstream = NULL;
        int redistributable = 0;
        CatalogueEntry *entry = &out->entries[out->count++];
        *entry = (CatalogueEntry){.json = json};
        if (json_unpack_ex(
                json, &error, JSON_STRICT,
                "{s:s, s:s, s?s, s:s, s?s, s:s, s:s, s:s, s?s, s?o, s:b, s:i, s:i, s:i, s:i, s:i, s?I, s:o}",
                "name", &entry->name, "title", &entry->title, "file", &entry->file, "kind", &entry->kind,
                "sha256", &entry->sha256, "source", &entry->source, "license", &entry->license, "note",
                &entry->note, "rest", &entry->rest, "upstream", &upstream, "redistributable",
                &redistributable, "vertices", &entry->vertices, "triangles", &entry->triangles, "frames",
                &entry->frames, "joints", &entry->joints, "influences", &entry->influences, "bytes",
                &size_bytes, "paper", &paper) != 0)
            return bad_input("%s: data set '%s': %s", path, entry->name ? entry->name : "", error.text);
        STATUS_TRY(member_check(path, entry->name, "name", entry->name, JSON_KIND_TERM));
        STATUS_TRY(member_check(path, entry->name, "kind", entry->kind, JSON_KIND_NAME));
        STATUS_TRY(member_check(path, entry->name, "file", entry->file, JSON_KIND_PATH));
        STATUS_TRY(member_check(path, entry->name, "sha256", entry->sha256, JSON_KIND_DIGEST));
        entry->redistributable = redistributable;
        entry->size_bytes = size_bytes;
        if (upstream)
            STATUS_TRY(upstream_read(path, entry->name, upstream, &entry->upstream));
    }
    json_array_foreach(missing, index, json)
    {
        CatalogueMissing *lacks = &out->missing[out->missing_count++];
        if (json_unpack_ex(json, &error, JSON_STRICT, "{s:s, s:s, s:s, s:s, s:o}", "name", &lacks->name,
                           "title", &lacks->title, "reason", &lacks->reason, "visit", &lacks->visit, "paper",
                           &paper) != 0)
            return bad_input("%s: missing data set '%s': %s", path, lacks->name ? lacks->name : "",
                             error.text);
        STATUS_TRY(member_check(path, lacks->name, "name", lacks->name, JSON_KIND_TERM));
    }
    return status_ok();
}

void catalogue_clear(Catalogue *catalogue)
{
    FREE_ALL(catalogue->entries, catalogue->missing);
    json_decref(catalogue->json);
    *catalogue = (Catalogue){0};
}
