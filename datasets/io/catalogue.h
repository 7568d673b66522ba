/* Reads the catalogue of known data sets, datasets/catalogue.json. */
#pragma once

#include "datasets/base/base.h"

#include <jansson.h>

/* How scripts/fetch-datasets produces the file NAME.h5 of a data set. The files to download are listed in
 * `upstream/NAME.tsv` beside the catalogue. Each line has the path, the size in bytes and the SHA-256 of a
 * file, separated by tabs. */
typedef struct CatalogueUpstream {
    const char *address;  /* common prefix of the download addresses; NULL if the data cannot be downloaded
                             automatically */
    const char *citation; /* work to cite when the data are used */
    const char *sha256;   /* SHA-256 of the file NAME.h5 that `import` writes; NULL: not yet recorded */
    const json_t *import; /* arguments of the command `import`, as a JSON array; the command runs in the
                             folder of the downloaded files */
} CatalogueUpstream;

/* A data set. Its texts are owned by the catalogue. */
typedef struct CatalogueEntry {
    const char *name, *title;
    const char *kind;   /* "skinbench" for a data set file, otherwise the name of the format from which it is
                           imported */
    const char *file;   /* name of the distributed file in a folder of data sets, or NULL */
    const char *sha256; /* SHA-256 of the file: 64 hexadecimal digits, or NULL */
    int64_t size_bytes; /* size of the file; 0: unknown */
    const char *source, *license, *note;
    const char *rest; /* origin of the rest pose, or NULL */
    bool redistributable;
    int vertices, triangles, frames, joints, influences;
    CatalogueUpstream upstream;
    const json_t *json; /* the whole entry as JSON */
} CatalogueEntry;

/* A data set that a person must request from its authors. */
typedef struct CatalogueMissing {
    const char *name, *title, *reason;
    const char *visit; /* web address for the request */
} CatalogueMissing;

typedef struct Catalogue {
    int count, missing_count;
    CatalogueEntry *entries;   /* [count] */
    CatalogueMissing *missing; /* [missing_count] */
    json_t *json;
} Catalogue;

/* Reads the catalogue. The message of STATUS_BAD_INPUT names the missing, mistyped or unknown field and its
 * place. Release with catalogue_clear. */
Status catalogue_read(const char *path, Catalogue *out);
void catalogue_clear(Catalogue *catalogue);
