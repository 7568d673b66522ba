/* The folder of NumPy arrays through which an external program can get its input and give its output. Numbers
 * are little-endian floats, doubles or 32-bit integers; results/formats.md lists the arrays of each kind. */
#pragma once

#include "datasets/model/dataset.h"

typedef enum ExternalKind {
    EXTERNAL_FIT,     /* the program reads an animation and writes transformations and weights of bones */
    EXTERNAL_WEIGHTS, /* the program reads a mesh with joints and writes weights */
    EXTERNAL_RIG,     /* the program reads a mesh and writes joints and weights */
    EXTERNAL_SKIN,    /* the program reads a rig with poses and writes positions */
    EXTERNAL_KIND_COUNT
} ExternalKind;

enum { EXTERNAL_PATH_BYTES = 4096 };

#define EXTERNAL_ARRAYS "arrays"

/* Makes the folder and writes all parts of the data set that are there. */
Status external_arrays_write(const Dataset *data, const char *folder);

/* Reads what a program of this kind wrote for `data`, and makes a data set with the mesh of `data`. The
 * caller checks counts and values. */
Status external_arrays_read(ExternalKind kind, const char *folder, const Dataset *data, Dataset **out);
