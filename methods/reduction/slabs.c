/* Reads an animation with two slabs (slabs.h). The caller uses one while the reading thread fills the
 * other, and slabs_next swaps them. */
#include "methods/reduction/slabs.h"

#include <pthread.h>
#include <signal.h>

struct Slabs {
    const Animation *animation;
    int vertex_count, max;
    float *positions[2]; /* [F][most][3] */
    int slot;            /* slab that the thread fills or has filled */
    Slab next;           /* that slab */
    Status status;       /* result of reading the next slab */
    double read_s, waited_s;
    pthread_t thread;
    bool is_reading; /* whether the thread is running */
};

static void *slab_fill(void *context)
{
    Slabs *slabs = context;
    const double started = clock_now_s();
    float *positions = slabs->positions[slabs->slot];
    slabs->status = animation_block(
        slabs->animation, slabs->vertex_count,
        (PositionBlock){0, slabs->animation->frame_count, slabs->next.first, slabs->next.count}, positions);
    slabs->next.positions = positions;
    slabs->read_s += clock_now_s() - started;
    return NULL;
}

/* Starts to read the slab that begins at vertex `first`. If no thread can be created, reads it on this
 * thread. */
static void slab_begin(Slabs *slabs, int first)
{
    const int left = slabs->vertex_count - first;
    sigset_t all, before;
    slabs->next = (Slab){.positions = slabs->animation->positions,
                         .first = first,
                         .count = left < slabs->max ? left : slabs->max};
    if (left == 0 || slabs->animation->positions)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* the thread inherits this mask, which blocks all signals,
                                                    so that signal handlers run on other threads */
    slabs->is_reading = pthread_create(&slabs->thread, NULL, slab_fill, slabs) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!slabs->is_reading)
        (void)slab_fill(slabs);
}

static void slab_finish(Slabs *slabs)
{
    if (slabs->is_reading)
        pthread_join(slabs->thread, NULL);
    slabs->is_reading = false;
}

static int slab_vertices(const Animation *animation, int vertex_count, int block)
{
    const double most_bytes = memory_limit() > 0 ? fmin(0x1p27, (double)memory_limit() / 8.0) : 0x1p27;
    const double block_bytes = 3.0 * sizeof(float) * animation->frame_count * block;
    const double vertices = fmax(floor(most_bytes / block_bytes), 1.0) * block;
    return vertices < vertex_count ? (int)vertices : vertex_count;
}

Status slabs_open(const Animation *animation, int vertex_count, int block, Slabs **out)
{
    Slabs *slabs = memory_array(1, sizeof *slabs);
    *out = NULL;
    ALLOCATED(slabs, "slabs of the animation");
    *slabs =
        (Slabs){.animation = animation,
                .vertex_count = vertex_count,
                .max = animation->positions ? vertex_count : slab_vertices(animation, vertex_count, block)};
    for (int i = 0; i < 2 && !animation->positions; i++) {
        slabs->positions[i] =
            memory_table((size_t)animation->frame_count, (size_t)slabs->max, 3 * sizeof(float));
        if (!slabs->positions[i]) {
            slabs_close(slabs);
            return status_out_of_memory("slabs of the animation");
        }
    }
    slab_begin(slabs, 0);
    *out = slabs;
    return status_ok();
}

void slabs_close(Slabs *slabs)
{
    if (!slabs)
        return;
    slab_finish(slabs);
    FREE_ALL(slabs->positions[0], slabs->positions[1], slabs);
}

Status slabs_next(Slabs *slabs, Slab *slab)
{
    const double started = clock_now_s();
    slab_finish(slabs);
    slabs->waited_s += clock_now_s() - started;
    *slab = slabs->next;
    if (slabs->status.code == STATUS_OK && slab->count > 0) {
        slabs->slot = 1 - slabs->slot;
        slab_begin(slabs, slab->first + slab->count);
    }
    return slabs->status;
}

void slabs_times(const Slabs *slabs, double *read_s, double *waited_s)
{
    *read_s = slabs->read_s;
    *waited_s = slabs->waited_s;
}
