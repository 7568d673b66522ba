/* Checks animations and low-rank models: finite values, unit normals, consistent frame counts. */
#include "datasets/model/check.h"

static const double NORMAL_TOLERANCE = 1e-3;

static void check_fps(const Dataset *dataset, CheckFinding *finding)
{
    if (dataset->fps == 0.0)
        check_fault(finding, "attribute fps is %g, so the frame rate is unknown", dataset->fps);
}

static void check_fps_finite(const Dataset *dataset, CheckFinding *finding)
{
    if (!isfinite(dataset->fps) || dataset->fps < 0.0)
        check_fault(finding, "attribute fps is %g, expected a positive number", dataset->fps);
}

static void check_normals_unit(const Dataset *dataset, CheckFinding *finding)
{
    const float *normals = dataset->animation.normals;
    int64_t vertices = dataset->mesh.vertex_count;
    for (int64_t i = 0; normals && i < dataset->animation.frame_count * vertices; i++) {
        double length = vec3_length(vec3_make(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]));
        if (fabs(length - 1.0) > NORMAL_TOLERANCE)
            check_fault(finding, "animation/normals[%lld,%lld] has the length %g, expected 1",
                        (long long)(i / vertices), (long long)(i % vertices), length);
    }
}

static void check_frame_counts(const Dataset *dataset, CheckFinding *finding)
{
    int rig = dataset->rig.frame_count, animation = dataset->animation.frame_count;
    if (dataset->rig.joint_count > 0 && rig > 0 && animation > 0 && rig != animation)
        check_fault(finding, "the rig has %d frames, but the animation has %d", rig, animation);
}

/* Checks that the positions that a low-rank model produces are not too large. If there is a rig, checks the
 * model's corrections to the rest pose instead. */
static void check_model_size(const Dataset *dataset, CheckFinding *finding)
{
    const LowRank *model = &dataset->low_rank;
    const int64_t vertices = dataset->mesh.vertex_count;
    const double bound =
        check_bound(dataset->rig.joint_count > 0 ? CHECK_BOUND_CORRECTION : CHECK_BOUND_MODEL);
    double sum = 0.0;
    for (int64_t k = 0; k < model->rank; k++) {
        double basis = 0.0, coefficient = 0.0;
        for (int64_t r = 0; r < model->row_count; r++)
            basis = vector_greater(basis, fabs(model->basis[r * model->rank + k]));
        for (int64_t v = 0; v < vertices; v++)
            coefficient = vector_greater(coefficient, fabs((double)model->coefficients[k * vertices + v]));
        sum += basis * coefficient;
    }
    if (sum > bound && isfinite(sum))
        check_fault(finding, "model/basis times model/coefficients may reach %g, expected no more than %g",
                    sum, bound);
}

static void check_model_frames(const Dataset *dataset, CheckFinding *finding)
{
    const bool corrects = dataset->rig.joint_count > 0;
    const int rows = dataset->low_rank.row_count;
    const int frames = corrects ? dataset->rig.frame_count : dataset->animation.frame_count;
    if (dataset->low_rank.rank > 0 && (corrects || frames > 0) && rows != 3 * (int64_t)frames)
        check_fault(finding, "model/basis has %d rows, expected 3 for each of %s%d frames", rows,
                    corrects ? "the rig's " : "", frames);
}

/* Checks that the clips have as many frames as the data set, that every clip has a frame, and that the clips
 * are in order. Otherwise frames would be missing or assigned to the wrong clip. */
static void check_clips(const Dataset *dataset, CheckFinding *finding)
{
    const Clips *clips = &dataset->clips;
    const int rig = dataset->rig.frame_count, animation = dataset->animation.frame_count,
              model = dataset->low_rank.row_count / 3, frames = clips->frame_count;
    if (clips->count > 0 && frames != rig && frames != animation && frames != model)
        check_fault(finding, "clips/times lists %d frames, but the data set has %d frames", frames,
                    int_max(rig, int_max(animation, model)));
    for (int c = 0; c < clips->count; c++) {
        const int before = c > 0 ? clips->first[c - 1] : -1;
        if (clips->first[c] <= before || clips->first[c] >= clips->frame_count || (c == 0 && clips->first[0]))
            check_fault(finding, "clips/first_frames[%d] is %d, expected %s below %d", c, clips->first[c],
                        c > 0 ? "more than the one before, and" : "0, and", clips->frame_count);
    }
    for (int f = 0, c = 0; clips->count > 0 && f < clips->frame_count && finding->count == 0; f++) {
        c += c + 1 < clips->count && clips->first[c + 1] == f;
        if (!isfinite(clips->times_s[f]) ||
            (f > clips->first[c] && clips->times_s[f] <= clips->times_s[f - 1]))
            check_fault(finding, "clips/times[%d] is %g, expected times that ascend within a clip", f,
                        clips->times_s[f]);
    }
}

/* Checks that the extent of the first frame is not zero, because metrics divide by it. */
static void check_animation_size(const Dataset *dataset, CheckFinding *finding)
{
    const float *positions = dataset->animation.positions;
    const int vertices = dataset->mesh.vertex_count;
    bool apart = false;
    if (dataset->animation.frame_count == 0 || !positions)
        return;
    for (int64_t i = 3; i < 3 * (int64_t)vertices && !apart; i++)
        apart = positions[i] != positions[i % 3];
    if (vertices == 0)
        check_fault(finding, "the mesh has no vertices: fit and measure refuse it");
    else if (!apart)
        check_fault(finding, "all vertices of the first frame are at one point: fit and measure refuse it");
}

static void check_texts(const Dataset *dataset, CheckFinding *finding)
{
    const char *const texts[][2] = {{"name", dataset->name},
                                    {"title", dataset->title},
                                    {"source", dataset->source},
                                    {"license", dataset->license}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!text_is_printable(texts[i][1]))
            check_fault(finding,
                        "attribute %s has characters that are not printable UTF-8, shown escaped: %.80s",
                        texts[i][0], texts[i][1]);
    if (strlen(dataset->name) > CHECK_NAME_BYTES_MAX)
        check_fault(finding, "attribute name has %zu bytes, but results keep only %d", strlen(dataset->name),
                    CHECK_NAME_BYTES_MAX);
}

const CheckRow check_animation_rows[] = {
    {"texts", CHECK_WARNING, "name, title, source and licence are printable UTF-8, and the name is short",
     .look = check_texts},
    {"fps", CHECK_NOTE, "the frame rate is known", .look = check_fps},
    {"fps-finite", CHECK_ERROR, "the frame rate is a positive number or 0", .look = check_fps_finite,
     .refusal = CHECK_REFUSED},
    {"positions-finite", CHECK_ERROR, "positions are finite and of a sensible size", .look = check_finite,
     .refusal = CHECK_REFUSED_BY_FRAMES},
    {"animation-size", CHECK_WARNING, "the vertices of the first frame are not all at one point",
     .look = check_animation_size},
    {"normals-finite", CHECK_ERROR, "normals are finite and of a sensible size", .look = check_finite,
     .refusal = CHECK_REFUSED_BY_FRAMES},
    {"normals-unit", CHECK_WARNING, "normals have length 1", .look = check_normals_unit},
    {"frame-counts", CHECK_ERROR, "rig and animation have the same number of frames",
     .look = check_frame_counts},
    {"model-finite", CHECK_ERROR, "the low-rank model is finite", .look = check_finite,
     .refusal = CHECK_REFUSED},
    {"model-size", CHECK_ERROR, "the low-rank model's positions are of a sensible size",
     .look = check_model_size, .refusal = CHECK_REFUSED},
    {"model-frames", CHECK_ERROR, "low-rank model and rig or animation have the same number of frames",
     .look = check_model_frames, .refusal = CHECK_REFUSED},
    {"clips", CHECK_ERROR, "the clips have all frames, and their first frames and times ascend",
     .look = check_clips, .refusal = CHECK_REFUSED},
    {.code = NULL},
};
