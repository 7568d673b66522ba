/* skinbench list methods|backends|datasets|formats|tables|upstream: lists what the program offers. */
#include "harness/commands/commands.h"

#include "datasets/base/nearest_name.h"
#include "datasets/generate/generate.h"
#include "harness/commands/known_data.h"
#include "harness/records/papers/published.h"

static json_t *parameters_to_json(const Parameter *rows)
{
    json_t *array = json_array();
    for (int i = 0; rows && rows[i].name; i++) {
        char value[64], range[256];
        parameter_default_format(&rows[i], value, sizeof value);
        parameter_range_format(&rows[i], range, sizeof range);
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", rows[i].name, "meaning",
                                               rows[i].meaning, "type", parameter_type_name(rows[i].type),
                                               "default", value, "range", range));
    }
    return array;
}

static void parameters_print(const Parameter *rows)
{
    for (int i = 0; rows && rows[i].name; i++) {
        char value[64], range[256];
        parameter_default_format(&rows[i], value, sizeof value);
        parameter_range_format(&rows[i], range, sizeof range);
        terminal_print("      %s=%s (%s): %s\n", rows[i].name, value, range, rows[i].meaning);
    }
}

static Status method_print(const CommandLine *line, const char *kind, const char *name, const char *title,
                           const char *citation, const Parameter *rows)
{
    if (line->json)
        return output_json(json_pack("{s:s, s:s, s:s, s:s, s:o}", "kind", kind, "name", name, "title", title,
                                     "citation", citation, "parameters", parameters_to_json(rows)));
    terminal_print("  %-20s %s\n      %s\n", name, title, citation);
    parameters_print(rows);
    return status_ok();
}

static Status list_methods(const CommandLine *line)
{
    bool text = !line->json;
    if (text)
        terminal_print("direct methods (skin --method NAME --set PARAMETER=VALUE)\n");
    for (int i = 0; i < skinning_entry_count(); i++) {
        const SkinningMethod *m = skinning_entry_at(i)->method;
        STATUS_TRY(method_print(line, "skinning", m->name, m->title, m->citation, m->parameters));
    }
    if (text)
        terminal_print("decomposition methods (fit --method NAME --set PARAMETER=VALUE)\n");
    for (int i = 0; i < decomposition_method_count(); i++) {
        const DecompositionMethod *m = decomposition_method_at(i);
        STATUS_TRY(method_print(line, "decomposition", m->name, m->title, m->citation, m->parameters));
    }
    if (text)
        terminal_print("methods that start from a rig (fit RIG --method NAME --bones H)\n");
    return method_print(line, "rig", "helper-joints", "Helper joints, which make lbs imitate another method",
                        "after Mukai and Kuriyama 2016 (a reconstruction)", helper_joint_parameters);
}

static Status list_backends(const CommandLine *line)
{
    for (int i = 0; i < BACKEND_COUNT; i++) {
        const Backend *backend = backend_at(i);
        char device[STATUS_TEXT_BYTES] = "";
        Status probe = backend->probe(device, sizeof device);
        if (probe.code == STATUS_SYSTEM)
            return probe;
        bool here = probe.code == STATUS_OK;
        if (line->json)
            STATUS_TRY(output_json(json_pack("{s:s, s:s, s:b, s:o}", "name", backend->name, "title",
                                             backend->title, "available", here, here ? "device" : "reason",
                                             json_text(here ? device : probe.text))));
        else
            terminal_print("  %-12s %-11s %s\n", backend->name, here ? "available" : "missing",
                           here ? device : probe.text);
    }
    return status_ok();
}

static Status catalogue_entry_print(const json_t *json, const char *kind)
{
    json_t *copy = json_deep_copy(json);
    json_set(copy, "kind", json_string(kind));
    return output_json(copy);
}

/* Prints the files of the catalogue and marks those that scripts/fetch-datasets downloads. Then prints the
 * data sets that must be requested from their authors. */
static Status catalogue_print(const CommandLine *line)
{
    CLEANUP(catalogue_clear) Catalogue catalogue = {0};
    STATUS_TRY(known_data_read(&catalogue));
    const json_t *missing = json_object_get(catalogue.json, "missing");
    bool text = !line->json;
    if (text)
        terminal_print("files (*: scripts/fetch-datasets --only NAME DIR downloads it as DIR/NAME.h5)\n");
    for (int i = 0; i < catalogue.count; i++) {
        const CatalogueEntry *entry = &catalogue.entries[i];
        if (text)
            terminal_print("%s %-20s %s\n", entry->upstream.address ? " *" : "  ", entry->name, entry->title);
        else
            STATUS_TRY(catalogue_entry_print(entry->json, "file"));
    }
    if (text && catalogue.missing_count > 0)
        terminal_print("data sets that you must request from their authors (see the address)\n");
    for (int i = 0; i < catalogue.missing_count; i++) {
        const CatalogueMissing *entry = &catalogue.missing[i];
        if (!text)
            STATUS_TRY(catalogue_entry_print(json_array_get(missing, (size_t)i), "missing"));
        else
            terminal_print("   %-20s %s: %s, %s\n", entry->name, entry->title, entry->reason, entry->visit);
    }
    return status_ok();
}

static Status list_datasets(const CommandLine *line)
{
    if (!line->json)
        terminal_print("generated (skinbench generate NAME --set PARAMETER=VALUE -o FILE)\n");
    for (int i = 0; i < generator_count(); i++) {
        const Generator *g = generator_at(i);
        if (line->json) {
            STATUS_TRY(
                output_json(json_pack("{s:s, s:s, s:s, s:o}", "kind", "generator", "name", g->name, "title",
                                      g->title, "parameters", parameters_to_json(g->parameters))));
        } else {
            terminal_print("  %-20s %s\n", g->name, g->title);
            parameters_print(g->parameters);
        }
    }
    return known_data_is_there() ? catalogue_print(line) : status_ok();
}

static Status list_formats(const CommandLine *line)
{
    for (int i = 0; i < format_count(); i++) {
        const Format *f = format_at(i);
        const char *lacking = f->lacking ? f->lacking : "";
        if (line->json) {
            STATUS_TRY(output_json(json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:b, s:s}", "name", f->name,
                                             "title", f->title, "extensions", f->extensions, "kept", f->kept,
                                             "lost", f->lost, "import", f->import != NULL, "export",
                                             f->export != NULL, "lacking", lacking)));
            continue;
        }
        terminal_print("  %-14s %-16s %s%s%s\n      %s\n      kept: %s\n      lost: %s\n", f->name,
                       f->extensions, f->import ? "import" : "", f->import && f->export ? ", " : "",
                       f->export ? "export" : "", f->title, f->kept, f->lost);
        if (f->lacking)
            terminal_print("      cannot be imported here: %s\n", f->lacking);
    }
    return status_ok();
}

/* Writes one field of a line for scripts; an empty field is written as "-". */
static void field_print(const char *text, char end)
{
    terminal_print("%s%c", text && text[0] ? text : "-", end);
}

/* Prints a line of tab-separated fields for each data set that scripts/fetch-datasets can download. */
static Status list_upstream(const CommandLine *line)
{
    CLEANUP(catalogue_clear) Catalogue catalogue = {0};
    STATUS_TRY(known_data_read(&catalogue));
    for (int i = 0; i < catalogue.count; i++) {
        const CatalogueEntry *entry = &catalogue.entries[i];
        const CatalogueUpstream *upstream = &entry->upstream;
        if (!upstream->address)
            continue;
        if (line->json) {
            STATUS_TRY(catalogue_entry_print(entry->json, "upstream"));
            continue;
        }
        const char *fields[] = {entry->name,   upstream->address, upstream->sha256,  entry->title,
                                entry->source, entry->license,    upstream->citation};
        for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
            field_print(fields[k], '\t');
        size_t last = json_array_size(upstream->import) - 1;
        for (size_t k = 0; k <= last; k++)
            field_print(json_string_value(json_array_get(upstream->import, k)), k < last ? '\t' : '\n');
    }
    return status_ok();
}

static Status list_tables(const CommandLine *line)
{
    CLEANUP(published_tables_clear) PublishedTables tables = {.count = 0};
    const Status read = published_tables_read(NULL, &tables);
    for (int i = 0; i < tables.count; i++) {
        const PublishedTable *table = tables.items[i];
        if (line->json)
            STATUS_TRY(
                output_json(json_pack("{s:s, s:s, s:s, s:i}", "name", table->name, "title", table->title,
                                      "source", table->place, "rows", table->paper_row_count)));
        else
            terminal_print("  %-14s %s (%s)\n", table->name, table->title, table->place);
    }
    return read;
}

Status list_run(const CommandLine *line)
{
    static const struct {
        const char *name;
        Status (*run)(const CommandLine *line);
    } lists[] = {
        {"methods", list_methods}, {"backends", list_backends}, {"datasets", list_datasets},
        {"formats", list_formats}, {"tables", list_tables},     {"upstream", list_upstream},
    };
    const char *what = command_line_argument(line, 0);
    NearestName nearest = {.given = what};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (strcmp(lists[i].name, what) == 0)
            return lists[i].run(line);
        nearest_name_add_candidate(&nearest, lists[i].name);
    }
    return nearest_name_suggest(
        &nearest, bad_usage("there is no list '%s', expected methods, backends, datasets, formats, "
                            "tables or upstream (the list of downloads for scripts/fetch-datasets)",
                            what));
}
