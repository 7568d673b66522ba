/* The catalogue of the data sets that are known: datasets/catalogue.json. */
#pragma once

#include "datasets/base/base.h"

#include <jansson.h>

/* Where scripts/fetch-datasets gets a data set, as NAME.h5. The files it loads stand in `upstream/NAME.tsv`
 * beside the catalogue: path, bytes and SHA-256 of each, separated by tabs. */
typedef struct CatalogueUpstream {
    const char
        *address; /* what a file's path is appended to; NULL: the data set cannot be loaded unattended */
    const char *citation; /* what work that uses it should name */
    const char *sha256;   /* of NAME.h5 as `import` makes it; NULL: not recorded yet */
    const json_t *import; /* array of texts: arguments of `import`, run where the paths begin */
} CatalogueUpstream;

/* One data set. Texts are those of the catalogue that the entry is of. */
typedef struct CatalogueEntry {
    const char *name, *title;
    const char *kind;   /* of the file: "skinbench" or the name of an import format */
    const char *file;   /* in which it goes round, as named in a folder of data sets; NULL: in none */
    const char *sha256; /* of the file: 64 hexadecimal digits, or NULL */
    int64_t size_bytes; /* of the file, or 0 */
    const char *source, *license, *note;
    const char *rest; /* where the rest pose comes from, or NULL */
    bool redistributable;
    int vertices, triangles, frames, joints, influences;
    CatalogueUpstream upstream;
    const json_t *json; /* the whole entry */
} CatalogueEntry;

/* One that a person must ask for. */
typedef struct CatalogueMissing {
    const char *name, *title, *reason;
    const char *visit; /* the address to go to */
} CatalogueMissing;

typedef struct Catalogue {
    int count, missing_count;
    CatalogueEntry *entries;   /* [count] */
    CatalogueMissing *missing; /* [missing_count] */
    json_t *json;
} Catalogue;

/* STATUS_BAD_INPUT names what is missing, of the wrong type or unknown, and the place. Release with
 * catalogue_clear. */
Status catalogue_read(const char *path, Catalogue *out);
void catalogue_clear(Catalogue *catalogue);
