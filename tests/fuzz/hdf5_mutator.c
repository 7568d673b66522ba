/* Finds the structures of an HDF5 file by their signatures. A structure ends with a checksum (Bob Jenkins'
 * lookup3) of all bytes before it. The end is found by trying every position until the checksum is
 * correct. */
#include "tests/fuzz/hdf5_mutator.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { STRUCTURES_MAX = 64, LENGTH_MAX = 700, SIGNATURE = 4, CHECKSUM = 4, UNSUMMED_LENGTH = 256 };

typedef struct Structure {
    size_t at, length; /* length without the checksum */
    int summed;
} Structure;

/* ---- lookup3 (public domain), hashlittle by bytes ---- */

static uint32_t turned(uint32_t value, int bits)
{
    return value << bits | value >> (32 - bits);
}

static uint32_t lookup3(const uint8_t *bytes, size_t length)
{
    static const int mix[] = {4, 6, 8, 16, 19, 4}, finish[] = {14, 11, 25, 16, 4, 14, 24};
    uint32_t v[3];
    v[0] = v[1] = v[2] = 0xdeadbeefu + (uint32_t)length;
    for (;;) {
        for (size_t i = 0; i < 12 && i < length; i++)
            v[i / 4] += (uint32_t)bytes[i] << 8 * (i % 4);
        if (length <= 12)
            break;
        for (int i = 0; i < 6; i++) { /* Mixing step of lookup3: a -= c, a ^= rotated c, c += b. The roles of
                                         a, b and c rotate in each of the six steps. */
            uint32_t *a = &v[i % 3], *b = &v[(i + 1) % 3], *c = &v[(i + 2) % 3];
            *a -= *c;
            *a ^= turned(*c, mix[i]);
            *c += *b;
        }
        bytes += 12;
        length -= 12;
    }
    for (int i = 0; i < 7 && length > 0; i++) { /* Final step of lookup3: c ^= b, c -= rotated b. The roles of
                                                   a, b and c rotate in each of the seven steps. */
        uint32_t *c = &v[(i + 2) % 3], *b = &v[(i + 1) % 3];
        *c ^= *b;
        *c -= turned(*b, finish[i]);
    }
    return v[2];
}

static uint32_t number_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* ---- structures of HDF5 files ---- */

/* Returns whether `bytes` begin with the signature of an HDF5 structure. *summed tells whether structures
 * of this kind have a checksum. */
static int is_signature(const uint8_t *bytes, int *summed)
{
    static const char kinds[] = "\211HDF OHDR OCHK BTHD BTLF BTIN FRHP FHDB FHIB FAHD FADB EAHD EAIB EASB "
                                "EADB SMTB SMLI FSHD FSSE TREE HEAP GCOL SNOD ";
    enum { SUMMED = 19 };
    for (int i = 0; i < (int)(sizeof kinds / (SIGNATURE + 1)); i++)
        if (memcmp(bytes, kinds + (ptrdiff_t)i * (SIGNATURE + 1), SIGNATURE) == 0) {
            *summed = i < SUMMED;
            return 1;
        }
    return 0;
}

static int structures_find(const uint8_t *data, size_t size, Structure *structures)
{
    int count = 0;
    for (size_t offset = 0; offset + SIGNATURE < size && count < STRUCTURES_MAX; offset++) {
        int summed = 0;
        if (!is_signature(data + offset, &summed))
            continue;
        size_t left = size - offset;
        Structure structure = {offset, left < UNSUMMED_LENGTH ? left : UNSUMMED_LENGTH, 0};
        for (size_t length = 12; summed && length < LENGTH_MAX && length + CHECKSUM <= left; length++)
            if (lookup3(data + offset, length) == number_at(data + offset + length)) {
                structure = (Structure){offset, length, 1};
                break;
            }
        structures[count++] = structure;
    }
    return count;
}

size_t hdf5_mutate(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    Structure structures[STRUCTURES_MAX];
    const int count = structures_find(data, size, structures);
    const unsigned place = seed / 64;
    size_t after = size;
    if (count > 0 && seed % 8 != 0) { /* mutate the bytes of one structure in place */
        const Structure *structure = &structures[place % (unsigned)count];
        uint8_t part[LENGTH_MAX];
        memcpy(part, data + structure->at, structure->length);
        size_t length = LLVMFuzzerMutate(part, structure->length, structure->length);
        memcpy(data + structure->at, part, length);
    } else {
        after = LLVMFuzzerMutate(data, size, capacity);
    }
    if (after != size || seed / 8 % 8 == 0)
        return after;
    for (int i = 0; i < count; i++)
        if (structures[i].summed) {
            uint8_t *bytes = data + structures[i].at;
            const uint32_t sum = lookup3(bytes, structures[i].length);
            for (size_t k = 0; k < CHECKSUM; k++)
                bytes[structures[i].length + k] = (uint8_t)(sum >> 8 * k);
        }
    return after;
}
