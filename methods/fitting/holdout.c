/* Fits some frames of an animation, and then solves for the remaining frames with the fitted weights and
 * rest pose. */
#include "methods/fitting/holdout.h"

#include "methods/fitting/correction_solve.h"
#include "methods/reduction/dense.h"

/* Expands an array with `size` bytes per fitted frame to all frames. The rows of held-out frames become
 * zero. */
static Status rows_spread(void **rows, size_t size, int frame_count, int every)
{
    LOCAL_TABLE(char, all, frame_count, size, "the held-out frames");
    const char *from = *rows;
    for (int frame = 0; frame < frame_count; frame++)
        if (!frame_is_held(frame, every)) {
            memcpy(all + (size_t)frame * size, from, size);
            from += size;
        }
    memory_free(*rows);
    *rows = TAKE(all);
    return status_ok();
}

/* Solves for the held-out frames by least squares: transformations of a rig, corrections of its rest pose,
 * and rows of a low-rank basis. The transformations are rigid if all fitted ones are rigid, otherwise
 * affine. */
static Status held_frames_solve(const DecompositionInput *input, int every, bool rigid, int threads,
                                DecompositionResult *result)
{
    FrameSolve solve = {.target = input->animation,
                        .vertex_count = input->mesh->vertex_count,
                        .rest = result->rest,
                        .rig = &result->rig,
                        .low_rank = &result->low_rank,
                        .threads = threads};
    int frame_count = input->animation->frame_count;
    LOCAL_ARRAY(int32_t, frames, held_frame_count(frame_count, every), "the held-out frames");
    for (int frame = 0; frame < frame_count; frame++)
        if (frame_is_held(frame, every))
            frames[solve.frame_count++] = frame;
    solve.frames = frames;
    if (result->rig.joint_count > 0)
        STATUS_TRY(rigid ? frames_solve_rigid(&solve) : frames_solve_affine(&solve));
    if (result->low_rank.rank > 0)
        STATUS_TRY(result->rig.joint_count > 0 ? frames_solve_corrections(&solve)
                                               : frames_solve_low_rank(&solve));
    return status_ok();
}

Status decomposition_fit_holdout(const DecompositionMethod *method, const DecompositionInput *input,
                                 const DecompositionOptions *options, int every, DecompositionResult *result)
{
    CLEANUP(animation_clear) Animation fitted = {0};
    DecompositionInput part = *input;
    *result = (DecompositionResult){0};
    if (every == 0)
        return decomposition_fit(method, input, options, result);
    UNDO_ON_FAILURE(decomposition_result_clear) DecompositionResult *unfinished = result;
    if (every < 2)
        return bad_usage("cannot hold out every %dth frame; expected every 2nd frame or fewer", every);
    if (input->animation->frame_count < every)
        return bad_usage("cannot hold out every %dth frame, because there are only %d frames", every,
                         input->animation->frame_count);
    STATUS_TRY(decomposition_input_check(input));
    /* copy the fitted frames */
    const Animation *all = input->animation;
    size_t values = 3 * (size_t)input->mesh->vertex_count;
    STATUS_TRY(animation_allocate(&fitted, all->frame_count - held_frame_count(all->frame_count, every),
                                  input->mesh->vertex_count, 0));
    float *out = fitted.positions;
    for (int frame = 0; frame < all->frame_count; frame++)
        if (!frame_is_held(frame, every)) {
            memcpy(out, all->positions + (size_t)frame * values, values * sizeof(float));
            out += values;
        }
    part.animation = &fitted;
    STATUS_TRY(decomposition_fit(method, &part, options, result));
    animation_clear(&fitted);
    const double started = clock_now_s();
    const bool rigid = rig_is_rigid(&result->rig);
    const int frame_count = input->animation->frame_count;
    Rig *rig = &result->rig;
    LowRank *model = &result->low_rank;
    void *transforms = rig->transforms, *basis = model->basis;
    if (rig->joint_count > 0) {
        STATUS_TRY(
            rows_spread(&transforms, (size_t)rig->joint_count * sizeof *rig->transforms, frame_count, every));
        rig->transforms = transforms;
        rig->frame_count = frame_count;
    }
    if (model->rank > 0) {
        STATUS_TRY(rows_spread(&basis, 3 * (size_t)model->rank * sizeof *model->basis, frame_count, every));
        model->basis = basis;
        model->row_count = 3 * frame_count;
    }
    CLEANUP(linear_algebra_restore) int linear_algebra_threads = linear_algebra_serialize();
    STATUS_TRY(held_frames_solve(input, every, rigid, int_max(options->threads, 1), result));
    result->holdout_s = clock_now_s() - started;
    unfinished = NULL;
    return status_ok();
}
