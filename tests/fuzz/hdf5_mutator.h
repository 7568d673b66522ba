/* Mutates HDF5 files so that their checksums stay valid. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Works like LLVMFuzzerCustomMutator: changes any bytes of the file, or only those of one structure with a
 * signature. Usually corrects the checksums of structures that had a valid checksum and have not moved. */
size_t hdf5_mutate(uint8_t *data, size_t size, size_t capacity, unsigned seed);
