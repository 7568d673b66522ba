/* The catalogue of the data sets that are known: datasets/catalogue.json. */
#ifndef SKINBENCH_IO_CATALOGUE_H
#define SKINBENCH_IO_CATALOGUE_H

#include "datasets/base/status.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* One data set as it is passed on. Texts are those of the catalogue that the entry is of. */
typedef struct CatalogueEntry {
    const char *name, *title;
    const char *file;   /* as it is named in a folder of data sets */
    const char *kind;   /* "skinbench" or the name of an import format */
    const char *sha256; /* of the file: 64 hexadecimal digits */
    const char *source, *license, *note;
    const char *rest; /* where the rest pose comes from, or NULL */
    const char *get;  /* how the file is made from the source, or NULL */
    bool redistributable;
    int vertices, triangles, frames, joints, influences;
    int64_t size_bytes;
    const json_t *json; /* the whole entry */
} CatalogueEntry;

typedef struct Catalogue {
    int count;
    CatalogueEntry *entries; /* [count] */
    json_t *json;
} Catalogue;

/* STATUS_BAD_INPUT names what is missing, of the wrong type or unknown, and the place. Release with
 * catalogue_clear. */
Status catalogue_read(const char *path, Catalogue *out);
void catalogue_clear(Catalogue *catalogue);

#endif
