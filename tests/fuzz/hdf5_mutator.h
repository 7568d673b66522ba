/* Mutation of HDF5 files that gets past their checksums. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* As LLVMFuzzerCustomMutator: changes any bytes, or those of one structure that opens with a signature; of
 * structures whose checksum was right and whose place is unchanged it is right again, most of the time. */
size_t hdf5_mutate(uint8_t *data, size_t size, size_t capacity, unsigned seed);
