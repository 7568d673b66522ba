/* Lists a user's own rigs in a folder, and limits what they may cost. */
#include "harness/run/suites/own_rigs.h"

#include "datasets/io/atomic_path.h"
#include "datasets/io/catalogue.h"
#include "datasets/io/store.h"
#include "harness/measure/environment/environment.h"
#include "harness/records/papers/published.h"

/* Whether the catalogue lists the data set file `file`. Tables name such data sets in rows of their own. */
static bool is_listed(const Catalogue *catalogue, const char *file)
{
    for (int i = 0; i < catalogue->count; i++) {
        const size_t length = strlen(catalogue->entries[i].name);
        if (strncmp(file, catalogue->entries[i].name, length) == 0 && strcmp(file + length, ".h5") == 0)
            return true;
    }
    return false;
}

static int is_candidate(const struct dirent *entry)
{
    return table_row_is_own(entry->d_name);
}

Status own_rigs_add(PublishedTable *table, const char *folder)
{
    char path[PUBLISHED_PATH_BYTES];
    CLEANUP(catalogue_clear) Catalogue catalogue = {0};
    CLEANUP(file_list_clear) FileList files = {.count = 0};
    if (table->own_rigs == 0 || !folder)
        return status_ok();
    snprintf(path, sizeof path, "%s/datasets/catalogue.json", environment_home());
    const Status read = catalogue_read(path, &catalogue);
    if (read.code == STATUS_SYSTEM)
        return read;
    if (read.code != STATUS_OK) /* without a catalogue, every rig in the folder is the user's own */
        catalogue.count = 0;
    files.count = scandir(folder, &files.entries, is_candidate, alphasort);
    for (int i = 0; i < files.count; i++) {
        const char *name = files.entries[i]->d_name;
        const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
        OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
        const Dataset *header = NULL;
        if (length >= (int)sizeof path || is_listed(&catalogue, name))
            continue;
        /* an unreadable data set file may have a rig, so its row will say what is wrong */
        if (!path_ends(name, ".h5") || dataset_reader_open(path, NULL, &reader, &header).code != STATUS_OK ||
            header->rig.joint_count > 0)
            STATUS_TRY(published_table_add_own(table, name));
    }
    return status_ok();
}

Status own_rig_check(const PublishedTable *table, int before, const Subject *subject)
{
    const int vertices = subject->dataset->mesh.vertex_count;
    if (before >= table->own_rigs)
        return status_make(
            STATUS_UNAVAILABLE,
            "only %d rigs that the catalogue does not list are measured, in the order of their "
            "names; `table %s --data FOLDER --rows FILE` measures another",
            table->own_rigs, table->name);
    if (vertices > OWN_RIG_VERTICES_MAX)
        return status_make(
            STATUS_UNAVAILABLE,
            "has %d vertices, and only rigs of at most %d are measured here; `skinbench advise` "
            "measures any rig",
            vertices, OWN_RIG_VERTICES_MAX);
    return status_ok();
}
