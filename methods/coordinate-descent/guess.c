#include "methods/coordinate-descent/guess.h"

#include "datasets/base/memory.h"

#include <string.h>

static size_t slot_count(const Descent *descent)
{
    return (size_t)descent->vertex_count * (size_t)descent->influence_count;
}

Status guess_make(Guess *guess, const Descent *descent, int window)
{
    size_t size = 4 * (size_t)descent->bone_count * (size_t)descent->dimension;
    *guess = (Guess){0};
    Status status = acceleration_make(&guess->acceleration, window, size);
    if (status.code != STATUS_OK)
        return status;
    guess->point = memory_array(size, sizeof(double));
    guess->image = memory_array(size, sizeof(double));
    guess->rest = memory_table((size_t)descent->vertex_count, 3, sizeof(double));
    guess->bones = memory_array(slot_count(descent), sizeof(int32_t));
    guess->weights = memory_array(slot_count(descent), sizeof(double));
    if (guess->point && guess->image && guess->rest && guess->bones && guess->weights)
        return status_ok();
    guess_clear(guess);
    return status_out_of_memory("the state of the last sweep");
}

void guess_clear(Guess *guess)
{
    acceleration_clear(&guess->acceleration);
    memory_free(guess->point);
    memory_free(guess->image);
    memory_free(guess->rest);
    memory_free(guess->bones);
    memory_free(guess->weights);
    *guess = (Guess){0};
}

void guess_keep(Guess *guess, const Descent *descent)
{
    memcpy(guess->rest, descent->rest, 3 * (size_t)descent->vertex_count * sizeof(double));
    memcpy(guess->bones, descent->bones, slot_count(descent) * sizeof(int32_t));
    memcpy(guess->weights, descent->weights, slot_count(descent) * sizeof(double));
}

void guess_return(Guess *guess, Descent *descent)
{
    memcpy(descent->rest, guess->rest, 3 * (size_t)descent->vertex_count * sizeof(double));
    memcpy(descent->bones, guess->bones, slot_count(descent) * sizeof(int32_t));
    memcpy(descent->weights, guess->weights, slot_count(descent) * sizeof(double));
    memcpy(descent->transforms, guess->image, guess->acceleration.size * sizeof(double));
    descent_update_gram(descent);
    guess->mixed = false;
}
