/* Procedural data sets, a file each; the table lists them all. Same parameters, same bytes. */
#ifndef SKINBENCH_GENERATE_GENERATE_H
#define SKINBENCH_GENERATE_GENERATE_H

#include "datasets/base/parameters.h"
#include "datasets/model/dataset.h"

typedef struct Generator {
    const char *name;
    const char *title;
    const Parameter *parameters;
    int parameter_count;
    Status (*run)(const double *parameters, Dataset **out);
} Generator;

int generator_count(void);
const Generator *generator_at(int index);
const Generator *generator_find(const char *name); /* NULL when there is none */

#endif
